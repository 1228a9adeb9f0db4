"""The main file for spark-submit."""

from absolink_spark.__main__ import main

raise SystemExit(main())
