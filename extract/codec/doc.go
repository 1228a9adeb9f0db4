// Package codec holds the spellings of text in documents: one file for each.
package codec
