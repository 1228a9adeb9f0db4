import sys

from absolink import main

sys.exit(main())
