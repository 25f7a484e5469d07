"""Writes the tables of games as eval logs of Inspect AI, one log for each journal and one sample for each player.

    glassbox report JOURNALS --tables jsonl --out tables
    pip install inspect-ai
    python examples/inspect.py tables logs && inspect view --log-dir logs
"""
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

# Python puts the folder of this file first in the search path, where it would be found instead of the module `inspect`.
sys.path.pop(0)

from inspect_ai.dataset import Sample
from inspect_ai.log import (EvalConfig, EvalDataset, EvalLog, EvalMetric, EvalResults, EvalSample, EvalScore, EvalSpec,
                            EvalStats, write_eval_log)
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelOutput, ModelUsage
from inspect_ai.scorer import Score


# Journals have no date, so a log has the time at which it was written.
CREATED = datetime.now(UTC).isoformat(timespec="seconds")


def read(folder: Path, table: str) -> dict[str, list[dict]]:
    """The rows of a table by journal."""
    rows: dict[str, list[dict]] = {}
    for line in (folder / f"{table}.jsonl").read_text().splitlines():
        row = json.loads(line)
        rows.setdefault(row["journal"], []).append(row)
    return rows


def model_of(seat: dict) -> str:
    return f"provider/{seat['model']}" if seat["model"] else f"glassbox/{seat['mind'] or 'scripted'}"


def turns(seat: str, orders: list[dict], bids: list[dict]) -> list:
    """What the player was asked and answered, in the order of the journal."""
    messages = []
    for row in sorted((row for row in orders + bids if row["seat"] == seat), key=lambda row: row["line"]):
        asked = f"round {row['round']}" if "round" in row else f"meeting {row['meeting']}, tick {row['tick']}"
        names = ["thought", "intent", "target", "message", "vote", "fault"]
        answer = {name: row[name] for name in names if row.get(name) is not None}
        messages += [ChatMessageUser(content=asked),
                     ChatMessageAssistant(content=json.dumps(answer, ensure_ascii=False), model=None)]
    return messages


def scores(seat: dict, ballots: list[dict], faults: int) -> dict[str, Score]:
    found = {"faults": Score(value=faults)}
    if seat["won"] is not None:
        found["won"] = Score(value=1 if seat["won"] else 0)
    votes = [row["ballot_role"] == "impostor" for row in ballots if row["voter"] == seat["seat"] and row["ballot_role"]]
    if votes and seat["role"] == "crewmate":
        found["vote_accuracy"] = Score(value=sum(votes) / len(votes))
    return found


def usage(calls: list[dict]) -> ModelUsage:
    add = lambda name: sum(row[name] or 0 for row in calls)
    read_tokens, written = add("prompt_tokens"), add("completion_tokens")
    return ModelUsage(input_tokens=read_tokens, output_tokens=written, total_tokens=read_tokens + written,
                      input_tokens_cache_read=add("cached_tokens"))


def log_of(game: dict, tables: dict[str, list[dict]]) -> EvalLog:
    samples, used = [], {}
    for seat in tables["seats"]:
        name, model = seat["seat"], model_of(seat)
        messages = turns(name, tables["orders"], tables["bids"])
        calls = [row for row in tables["calls"] if row["seat"] == name]
        spent = {model: usage(calls)} if calls else {}
        for key, value in spent.items():
            used[key] = used[key] + value if key in used else value
        faults = sum(row["fault"] is not None for row in tables["orders"] + tables["bids"] if row["seat"] == name)
        samples.append(EvalSample(
            id=name, epoch=1, input=f"{name} plays {seat['role']}", target=seat["role"], messages=messages,
            output=ModelOutput(model=model), scores=scores(seat, tables["ballots"], faults), model_usage=spent,
            metadata={key: seat[key] for key in ["persona", "mind", "model", "fate"]}))
    models = sorted({model_of(seat) for seat in tables["seats"]})
    names = sorted({name for sample in samples for name in sample.scores})
    means = {name: [one.scores[name].value for one in samples if name in one.scores] for name in names}
    results = EvalResults(total_samples=len(samples), completed_samples=len(samples), scores=[
        EvalScore(name=name, scorer=name, metrics={"mean": EvalMetric(name="mean", value=sum(values) / len(values))})
        for name, values in means.items()])
    spec = EvalSpec(
        created=CREATED, task="glassbox", config=EvalConfig(),
        dataset=EvalDataset(name=f"seed-{game['seed']}", samples=len(samples), sample_ids=[one.id for one in samples]),
        model=models[0] if len(models) == 1 else "none/none", metadata=game)
    # A match that was not played to its end has no results: Inspect refuses a folder in which they are null.
    over = {"status": "success", "results": results} if game["ended"] else {"status": "started"}
    return EvalLog(eval=spec, samples=samples, stats=EvalStats(model_usage=used), **over)


def main(tables: Path, out: Path) -> None:
    names = ["seats", "orders", "bids", "ballots", "calls"]
    read_tables = {name: read(tables, name) for name in names}
    out.mkdir(parents=True, exist_ok=True)
    for journal, (game,) in read(tables, "games").items():
        log = log_of(game, {name: read_tables[name].get(journal, []) for name in names})
        # Inspect lists only files whose names begin with a time.
        path = out / f"{CREATED[:19].replace(':', '-')}_{journal.removesuffix('.jsonl').replace('/', '-')}.json"
        write_eval_log(log, str(path), format="json")
        print(path)


main(Path(sys.argv[1]), Path(sys.argv[2]))
