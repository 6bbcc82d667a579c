"""The program ``durak``; ``python -m durak_solver`` is the same."""

import signal
import sys


def main() -> None:
    """Run the program; Ctrl-C ends it without a traceback, even while its commands are still being loaded."""
    try:
        from durak_solver.cli import app  # noqa: PLC0415  (loading takes long enough for a Ctrl-C)

        app.main()
    except KeyboardInterrupt:
        _leave_quietly()
        print("Interrupted.", file=sys.stderr)
        sys.exit(130)
    except SystemExit as end:
        if end.code == 130:
            _leave_quietly()
        raise


def _leave_quietly() -> None:
    """Let no further Ctrl-C disturb the end of the program."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == "__main__":
    main()
