"""Counts the checks of a program."""
import sys
import traceback

checks = failed = 0


def check(title, action):
    """Runs a check; what it raises is its failure. Returns what it returns, or None."""
    global checks, failed
    checks += 1
    try:
        result = action()
        print(f"ok {title}")
        return result
    except Exception as e:
        failed += 1
        print(f"FAIL {title}: {type(e).__name__}: {str(e)[:600]}")
        traceback.print_exc(limit=4)
        return None


def close():
    print(f"{checks} checks, {failed} failed")
    sys.exit(1 if failed else 0)
