"""The whole page: one file, which asks no server for anything."""

from html import escape
from importlib import resources
from typing import List

from .. import diagnosis
from ..execution import Execution
from ..words import bytes_text, grouped, share_text, time_text
from . import (comparison_table, html, iteration_picture, machine_picture, share_picture, steal_picture, task_picture,
               work_picture)
from .svg import Colours

PARTS = (("diagnosis", "What costs most"), ("machine", "Machine"), ("iterations", "Iterations"),
         ("who", "Who ran what"), ("steals", "Steals"), ("work-and-waiting", "Work"),
         ("schedulers", "Schedulers"), ("about", "About"))
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


def make(one: Execution, others: List[Execution], kept) -> str:
    """`kept`: the file that it is of (`results.Results`), for what is too long to hold in memory."""
    account = diagnosis.Account(one)
    said = diagnosis.diagnose(one, others)
    kind = "simulated" if one.is_simulated() else "measured"
    colours = Colours(one.workers)
    title = f"{one.program} under {one.scheduler}"
    links = "".join(f'<a href="#{identity}">{name}</a>' for identity, name in PARTS)
    body = "\n".join((
        diagnosed(account, said, kind),
        machine_picture.section(account, kind),
        iteration_picture.section(account, kind),
        html.section("who", "Who ran what", dict.fromkeys((kind, "simulated" if one.is_simulated() else "declared")),
                     share_picture.legend(colours) if one.workers else "",
                     share_picture.content(account, colours, kind), task_picture.content(account, kept, colours, kind)),
        steal_picture.section(account, kind),
        work_picture.section(account, kind),
        comparison_table.section(one, others, kind),
        about(one)))
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<link rel="icon" href="data:,">\n'
            f"<title>{escape(title)}: jackdaw report</title>\n<style>\n{resource('style.css')}</style>\n"
            "</head>\n<body>\n"
            f'<a class="skip" href="#main">Skip to the report</a>\n'
            f'<header><div><h1{html.whole_title(one.program)}>{escape(one.program)}</h1>'
            f'<p class="facts">{facts(one)}</p></div>\n'
            f'<div class="buttons"><button type="button" id="theme">Dark</button>'
            f'<button type="button" id="tables">Open all tables</button></div></header>\n'
            f'<nav aria-label="Parts of the report">{links}</nav>\n<main id="main">\n{body}\n</main>\n'
            f"<script>\n{resource('script.js')}</script>\n</body>\n</html>\n")


def resource(name: str) -> str:
    return resources.files("jackdaw").joinpath("templates", "report_" + name).read_text(encoding="utf-8")


def facts(one: Execution) -> str:
    workers = "worker" if one.worker_count == 1 else "workers"
    words = (f"{one.scheduler}, {grouped(one.worker_count)} {workers} on {one.machine}, "
             f"{time_text(one.seconds * 1e9)}, begun {one.started}; execution {one.id} of its file, ")
    return escape(words) + html.badge("simulated" if one.is_simulated() else "measured")


def diagnosed(account, said, kind) -> str:
    parts = [html.paragraph(said.headline, "headline"), tiles(account, kind)]
    problems = [each for each in said.findings if each.is_problem()]
    if problems:
        parts.append(stake(problems[0]) + listed(problems[0].evidence))
        for note in said.notes:
            parts.append(html.paragraph(note))
    others = [each for each in said.findings if each not in problems[:1]]
    if others or said.possible:
        items = "".join(f"<li><p>{html.rich(diagnosis.capital(each.sentence))}; {html.rich(each.remedy)}.</p>"
                        f"{stake(each) if each in others else ''}{listed(each.evidence)}</li>"
                        for each in [*others, *said.possible])
        parts.append(f'<h3>Also</h3><ol class="findings">{items}</ol>')
    if said.unknown:
        parts.append("<h3>What is not known</h3>" + listed(said.unknown))
    return html.section("diagnosis", "What costs most", [], *parts)


def stake(finding) -> str:
    kind = "measured" if finding.measured else "estimated"
    of = "the program's time" if finding.whole else "the time"
    return (f'<p class="stake">At stake: <b data-rule="{escape(finding.rule)}" data-value="{finding.at_stake!r}">'
            f"up to {share_text(finding.at_stake)}</b> of {of} {html.badge(kind)}</p>")


def listed(items) -> str:
    return '<ul class="evidence">' + "".join(f"<li>{html.rich(each)}</li>" for each in items) + "</ul>"


def tiles(account, kind) -> str:
    one = account.of
    if not one.workers:
        return ""
    remote_kind = kind if one.is_simulated() else "declared"
    shown = [("time", time_text(one.seconds * 1e9), kind, one.seconds * 1e9),
             ("workers busy", share_text(account.busy), kind, account.busy),
             *([("waiting for data", share_text(account.memory), kind, account.memory)]
               if not account.memory_is_estimated else []),
             ("workers idle", share_text(account.idle), kind, account.idle),
             ("bytes", bytes_text(account.bytes), remote_kind, account.bytes) if account.bytes else
             ("bytes", "not known", remote_kind, None),
             ("from elsewhere", share_text(account.remote_share), remote_kind, account.remote_share) if account.bytes
             else ("from elsewhere", "not known", remote_kind, None),
             ("steals", grouped(account.steals), kind, account.steals)]
    return '<dl class="tiles">' + "".join(
        f'<div><dt>{name} {html.badge(badge)}</dt><dd data-tile="{name}"'
        + (f' data-value="{value!r}"' if value is not None else ' class="none"') + f">{words}</dd></div>"
        for name, words, badge, value in shown) + "</dl>"


def about(one: Execution) -> str:
    rows = [("execution", one.id), ("begun", one.started), ("jackdaw", one.jackdaw_version), ("kind", one.kind),
            ("program", one.program), ("scheduler", one.scheduler), ("workers", one.worker_count),
            ("machine", one.machine), ("known from", one.machine_source),
            ("placement", one.placement or "none asked for")]
    kinds = "".join(f"<dt>{html.badge(kind)}</dt><dd>{escape(says)}</dd>" for kind, says in html.KINDS.items())
    return html.section("about", "About this execution", [],
                        html.table("facts", "The execution", [], [html.text("what"), html.text("value")], rows,
                                   folded=False),
                        f"<h3>Where numbers come from</h3><dl class=\"kinds\">{kinds}</dl>")
