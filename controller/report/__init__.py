"""Incident reports: what a journal's records say about irregularities, for people and for files.

`episodes` records by round · `incident` one irregularity as data · `select` which ones a report is about ·
`words` what a record says in English · `page` the HTML. Nothing here but what the records say: the same
journal always gives the same report.
"""
