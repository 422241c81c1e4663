"""A site of three small pages on a free loopback port, whose second page can be changed."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGES = {
    "/": "<h1>Welcome</h1><p>Three small pages.</p>",
    "/about": "<h1>About</h1><p>We paint signs.</p>",
    "/contact": "<h1>Contact</h1><p>Write to us.</p>",
}


class Site:
    def __init__(self):
        self.about = PAGES["/about"]
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                path = self.path.split("?")[0]
                body = site.about if path == "/about" else PAGES.get(path)
                if path == "/sitemap.xml":
                    urls = "".join(f"<url><loc>{site.origin}{page}</loc></url>" for page in PAGES)
                    body = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
                content = (body or "<h1>Nothing here</h1>").encode()
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", "application/xml" if path.endswith(".xml") else "text/html")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def change(self):
        self.about = "<h1>About us</h1><p>We paint signs and boats.</p>"
