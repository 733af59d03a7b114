"""A network between a client and a service that breaks connections."""

from __future__ import annotations

import socket
import threading
from urllib.parse import urlsplit


class Proxy:
    """Passes bytes on, and closes the first connections after `cut_after` bytes of responses."""

    def __init__(self, url: str, *, cut_after: int, cuts: int = 1) -> None:
        address = urlsplit(url)
        self._target = (address.hostname or "", address.port or 80)
        self._cut_after = cut_after
        self._left = cuts
        self.cuts = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        # The service answers requests for its own address only.
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Proxy:
        return self

    def __exit__(self, *error: object) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(self._target)
            threading.Thread(target=self._requests, args=(client, server), daemon=True).start()
            threading.Thread(target=self._responses, args=(server, client), daemon=True).start()

    def _requests(self, client: socket.socket, server: socket.socket) -> None:
        while data := _receive(client):
            server.sendall(data)

    def _responses(self, server: socket.socket, client: socket.socket) -> None:
        passed = 0
        while data := _receive(server):
            passed += len(data)
            if passed > self._cut_after and self._left > 0:
                self._left -= 1
                self.cuts += 1
                client.sendall(data[: max(0, len(data) - (passed - self._cut_after))])
                client.shutdown(socket.SHUT_RDWR)
                return
            client.sendall(data)
        client.close()


def _receive(connection: socket.socket) -> bytes:
    try:
        return connection.recv(65536)
    except OSError:
        return b""
