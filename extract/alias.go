package extract

import (
	"absolink/extract/internal/archive"
	"absolink/extract/internal/css"
	"absolink/extract/internal/html"
	"absolink/extract/internal/http"
	"absolink/extract/internal/mail"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/pack"
	"absolink/extract/internal/text"
	"absolink/extract/internal/xml"
)

var ARC = archive.ARC
var Atom = xml.Atom

var CSS = css.Format

var ENEX = archive.ENEX

type Format = mark.Format

var HAR = archive.HAR
var HTML = html.Format
var HTTP = http.Format

var MAFF = pack.MAFF
var Mbox = mail.Mbox
var MboxCL = mail.MboxCL
var MboxCL2 = mail.MboxCL2
var MboxO = mail.MboxO
var MboxRD = mail.MboxRD
var Message = mail.Message

type Place = mark.Place

var Plain = text.Plain

var RDF = xml.RDF
var RSS = xml.RSS

var SVG = xml.SVG

var Tar = pack.Tar

var WARC = archive.WARC
var Webarchive = archive.Webarchive
var XHTML = xml.XHTML
var XML = xml.XML
var Zip = pack.Zip
