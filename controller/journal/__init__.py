"""The durable record of a table: SQLite, one writer thread, a hash chain whose head is kept apart.

`record` the chain · `schema` a file's layout and its migrations · `head` the end of the chain, in a file of
its own · `store` the files of a running service · `writer` the thread that makes entries durable · `archive`
the finished shoes · `reader` reading while the writer runs · `check` what does not hold, as pure functions ·
`audit` all of it on a path · `checkpoints`, `signing` what the table's key vouches for · `copies` backups.

`journal.db`, `.head`, `.signed` and `.lock` lie side by side; `archive` has a file for each finished shoe.
The journal knows nothing of what its records mean: bodies are bytes.
"""
