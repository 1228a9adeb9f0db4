package extract_test

import "absolink/extract"

type walker = extract.Calls
