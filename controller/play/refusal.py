"""The answer to an order that cannot be carried out."""


class Refusal(Exception):  # noqa: N818 - it is the answer, not a failure
    """Why an order does not fit the situation."""
