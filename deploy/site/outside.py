"""Links of pages to files that are not pages, such as examples and sources, lead to the repository."""
import os
import posixpath
import re

from mkdocs.exceptions import PluginError

LINK = re.compile(r"(?<!\!)\[([^\]]*)\]\((\.\./[^)\s#]+)(#[^)\s]*)?\)")


def on_page_markdown(markdown, page, config, **_):
    repository = config.repo_url.rstrip("/") if config.repo_url else ""
    root = os.path.dirname(os.path.abspath(config.docs_dir))

    def outside(link):
        text, target, anchor = link.groups()
        path = posixpath.normpath(target[3:])
        if not os.path.exists(os.path.join(root, path)):
            raise PluginError(f"{page.file.src_path} links to {target}, which does not exist")
        if not repository:
            return text  # it is not known where the sources are
        kind = "tree" if os.path.isdir(os.path.join(root, path)) else "blob"
        return f"[{text}]({repository}/{kind}/main/{path}{anchor or ''})"

    return LINK.sub(outside, markdown)
