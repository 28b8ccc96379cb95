"""What the pages that commands write have in common."""


def document(title: str, style: str, body: str) -> str:
    """A whole HTML document that needs nothing from elsewhere, and may load nothing. All is escaped already."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}</body>
</html>
"""
