"""Serves a model with llama.cpp: python3 serve.py PACKAGES MODEL.gguf NAME PORT CONTEXT SLOTS"""
import signal
import sys

packages, model, name, port, context, slots = sys.argv[1:]
sys.path.insert(0, packages)
import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = model
params.model_alias = {name}
params.port = int(port)
params.n_ctx = int(context) * int(slots)
params.n_parallel = int(slots)
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 2
params.warmup = params.ui = False
server = xllamacpp.Server(params)
print(f"listening at {server.listening_address}/v1", flush=True)
signal.pause()
