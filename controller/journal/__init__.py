"""The durable record of a table: SQLite, one writer thread, a hash chain whose head is kept apart.

`record` the chain · `schema` the file's layout and its migrations · `head` the end of the chain, in a file of
its own · `store` the files of a running service · `writer` the thread that makes entries durable · `reader`
reading while the writer runs · `check` what does not hold, as pure functions · `audit` all of it on a path.

`journal.db`, `journal.head` and `journal.lock` lie side by side. The journal knows nothing of what its
records mean: bodies are bytes.
"""
