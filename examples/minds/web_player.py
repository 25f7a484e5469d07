"""A mind as a web service: the same messages by POST. Start it with: python3 web_player.py 8000"""
import json, random, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Mind(BaseHTTPRequestHandler):
    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if message["type"] == "hello":
            answer = {"type": "hello", "protocol": 1, "name": "web"}
        else:
            pick = lambda what: random.choice(message["choices"][what] or [None])
            decision = {"message": "I was in Admin.", "desire_to_speak": 3}
            decision |= {"vote_action": pick("votes"), "action": pick("actions")}
            answer = {"type": "answer", "id": message["id"], "answer": decision}
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Mind)
print(f"http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
