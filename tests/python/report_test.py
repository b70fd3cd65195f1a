"""`jackdaw report`: the page in a real browser, its numbers beside the database's, and bad input."""

import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from contextlib import closing
from pathlib import Path

import browser
import databases
import planted
from sample import sample

from jackdaw import report, whole_file
from jackdaw.mistake import Mistake


class FolderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file, self.page = self.folder / "run.db", self.folder / "report.html"

    def page_of(self, *plants, number=None):
        for plant in plants:
            plant.save(self.file)
        self.said = report.write(self.file, self.page, number)
        return self.page.read_text(encoding="utf-8")


class BrowserTest(FolderTest):
    def open(self, *plants, **how):
        if plants:
            self.page_of(*plants)
        opened = browser.Opened(self.page, **how)
        self.assertEqual(opened.console, [])
        self.assertEqual(opened.asked, [])
        return opened

    def test_what_would_be_found_is_found(self):
        self.page.write_text("<html><body><img src='http://127.0.0.1:9/x.png'><script>nothing()</script></body></html>")
        opened = browser.Opened(self.page)
        self.assertTrue(any("nothing is not defined" in line for line in opened.console), opened.console)
        self.assertEqual(opened.asked, ["http://127.0.0.1:9/x.png"])

    def test_its_numbers_are_the_database_s(self):
        dom = self.open(planted.serial_first_touch(scheduler="adws", seconds=0.5), sample()).dom
        with closing(sqlite3.connect(self.file)) as file:
            def expect(table, sql, count=None):
                expected = [tuple(float(each) if isinstance(each, (int, float)) else each for each in row)
                            for row in file.execute(sql)]
                found = browser.rows(dom, table)
                self.assertTrue(expected, table)
                self.assertEqual([row[:len(expected[0])] for row in found][:count], expected[:count], table)

            one = "execution = 2"
            expect("workers", "SELECT worker, os_cpu, core, cache, package, node, tasks, roots, steals_core, "
                   "steals_cache, steals_package, steals_remote, failed_local, failed_remote, at_home, away, "
                   "migrations, suspensions, sleeps, rescues, busy_ns, search_ns, sleep_ns, overhead_ns, memory_ns, "
                   f"local_bytes, remote_bytes FROM execution_worker WHERE {one}")
            expect("nodes", "SELECT n.node, kind, package, capacity, bandwidth, (SELECT sum(bytes) FROM "
                   "execution_traffic t WHERE t.execution = n.execution AND t.node = n.node) FROM execution_node n "
                   f"WHERE {one}")
            expect("traffic", "SELECT name, worker, node, t.bytes FROM execution_traffic t JOIN execution_array a "
                   f"USING (execution, array) WHERE {one} ORDER BY t.bytes DESC, array, worker, node")
            expect("arrays", "SELECT name, source, bytes, first_touched_by, first_touched_bytes, (SELECT sum(bytes) "
                   f"FROM execution_traffic t WHERE t.array = a.array AND t.{one}) FROM execution_array a WHERE {one}")
            expect("places", "SELECT name, node, p.bytes FROM execution_place p JOIN execution_array a USING "
                             "(execution, "
                   f"array) WHERE {one} ORDER BY array, node")
            expect("shares", "SELECT name, part, parts, worker, s.bytes, written FROM execution_share s JOIN "
                   f"execution_array a USING (execution, array) WHERE {one} ORDER BY array, part, worker")
            expect("iteration-times", "SELECT number, region, begin_ns, duration_ns FROM execution_iteration WHERE "
                   f"{one} ORDER BY number")
            expect("decisions", f"SELECT at_ns, worker, name, value, says FROM execution_decision WHERE {one}")
            expect("steal-pairs", f"SELECT thief, victim, steals, failed FROM execution_steal WHERE {one} ORDER BY "
                   "steals DESC, thief, victim")
            expect("tasks", "SELECT task, parent, worker, begin_ns, end_ns - begin_ns, depth, span_begin, span_end "
                            "FROM "
                   f"execution_task WHERE {one} ORDER BY task")
            expect("executions", "SELECT id, started, scheduler, workers, machine FROM execution")
            (busy, idle, local, remote, steals), = file.execute(
                "SELECT sum(busy_ns), sum(search_ns + sleep_ns), sum(local_bytes), sum(remote_bytes), sum(steals_core "
                f"+ steals_cache + steals_package + steals_remote) FROM execution_worker WHERE {one}")
        tiles = {tile.attributes["data-tile"]: float(tile.attributes["data-value"])
                 for tile in dom.all("dd") if "data-tile" in tile.attributes}
        self.assertEqual(tiles["bytes"], local + remote)
        self.assertEqual(tiles["from elsewhere"], remote / (local + remote))
        self.assertEqual(tiles["steals"], steals)
        self.assertEqual(tiles["time"], 1e9)
        self.assertAlmostEqual(tiles["workers busy"], busy / (busy + idle))
        self.assertEqual(len(browser.rows(dom, "tasks")), 620)

    def test_the_sentence_comes_first(self):
        dom = self.open(planted.serial_first_touch()).dom
        first = dom.first("main").first("p")
        self.assertEqual(first.attributes["class"], "headline")
        self.assertEqual(first.text(), self.said.replace("`", ""))

    def test_pictures_can_be_read_without_eyes_and_without_a_mouse(self):
        dom = self.open(planted.serial_first_touch(scheduler="adws"), sample()).dom
        pictures = list(dom.all("svg"))
        self.assertEqual({each.attributes["id"] for each in pictures},
                         {"machine-picture", "iteration-picture", "share-picture", "timeline-picture", "tree-picture",
                          "steal-picture", "work-picture", "scheduler-picture"})
        identities = [each.attributes["id"] for each in dom.all() if "id" in each.attributes]
        self.assertEqual(len(identities), len(set(identities)))
        for each in pictures:
            self.assertEqual(each.attributes["role"], "img")
            for name in each.attributes["aria-labelledby"].split():
                self.assertTrue(dom.first(None, id=name).text().strip())
            section = each.parent
            while section.name != "section":
                section = section.parent
            self.assertIsNotNone(section.first("table"), each.attributes["id"])
        for each in dom.all():
            self.assertIn(each.attributes.get("tabindex", "0"), ("0", "-1"))
            if each.attributes.get("class") == "scroll":
                self.assertEqual(each.attributes["tabindex"], "0")
                self.assertTrue(each.attributes["aria-label"])
        for link in dom.first("nav").all("a"):
            self.assertIsNotNone(dom.first("section", id=link.attributes["href"][1:]))

    def test_narrow(self):
        script = "document.title = `${innerWidth} ${document.documentElement.scrollWidth}`"
        inner, scrolled = map(int, self.open(sample(), script=script, width=400).dom.first("title").text().split())
        self.assertLessEqual(inner, 500)  # Chromium's least width, on some systems
        self.assertLessEqual(scrolled, inner)

    def test_light_and_dark(self):
        script = """
          const channels = colour => colour.match(/[\d.]+/g).map(Number);
          const within = (box, x, y) => box.x <= x && x <= box.x + box.width && box.y <= y && y <= box.y + box.height;
          const pictured = () => [...document.querySelectorAll("svg text")].map(each => {
            const box = each.getBBox(), x = box.x + box.width / 2, y = box.y + box.height / 2;
            let under = channels(getComputedStyle(each.closest("section")).backgroundColor).slice(0, 3);
            for (const rect of each.closest("svg").querySelectorAll("rect")) {
              const style = getComputedStyle(rect);
              if (!(rect.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) || style.fill === "none" ||
                  !within(rect.getBBox(), x, y)) continue;
              const fill = channels(style.fill), opacity = Number(style.fillOpacity) * Number(style.opacity);
              under = under.map((old, at) => old * (1 - opacity) + fill[at] * opacity);
            }
            return `rgb(${under.map(Math.round).join(", ")})/${getComputedStyle(each).fill}`; });
          const seen = () => [getComputedStyle(document.body).backgroundColor,
              ...[...document.querySelectorAll("p, td, th, dt, a, summary, button, code, li")].map(each => {
                let under = each;
                while (getComputedStyle(under).backgroundColor === "rgba(0, 0, 0, 0)") under = under.parentElement;
                return getComputedStyle(under).backgroundColor + "/" + getComputedStyle(each).color; }),
              ...pictured()].join(";");
          const first = seen();
          document.getElementById("theme").click();
          document.title = [first, seen(), document.getElementById("theme").textContent].join("|");"""
        every_part = sample(kind="simulated").busy([0.7] * 8, sleeping=0.5).each_worker(memory_ns=2e8, overhead_ns=2e8)
        page = self.open(every_part, script=script)
        self.assertEqual({each.attributes["class"] for each in page.dom.first("svg", id="work-picture").all("text")} & {
            f"on-{part}" for part in ("compute", "memory", "overhead", "search", "sleep")},
            {"on-compute", "on-memory", "on-overhead", "on-search", "on-sleep"})
        light, dark, button = page.dom.first("title").text().split("|")
        self.assertEqual(button, "Light")
        self.assertGreater(brightness(light.split(";")[0]), 0.8)
        self.assertLess(brightness(dark.split(";")[0]), 0.05)
        for theme in (light, dark):
            for pair in theme.split(";")[1:]:
                self.assertGreaterEqual(contrast(*pair.split("/")), 4.5, pair)

    def test_words_in_pictures_keep_to_their_places(self):
        """Of arrays with long names, and of nodes whose bandwidth is not known."""
        plant = planted.Planted(bandwidth=None)
        for number, name in enumerate(("x" * 200, "W" * 60, "\u6570\u636e" * 60, "short")):
            array = plant.array(name, 123 * planted.MIB, {0: 1.0})
            plant.all_use(array, 987.6e9 / (number + 1), {0: 1.0})
            plant.blocks(array, 987.6e9)
        script = """
          const meet = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
              b.y < a.y + a.height;
          const texts = [...document.querySelectorAll("#share-picture text")];
          const found = texts.flatMap((a, at) => texts.slice(at + 1).filter(b => meet(a.getBBox(), b.getBBox())).map(
              b => a.textContent + "|" + b.textContent));
          const boxes = [...document.querySelectorAll("#machine-picture rect.box")].map(each => each.getBBox());
          for (const each of document.querySelectorAll("#machine-picture text:not(.link-label)")) {
            const box = each.getBBox();
            const around = boxes.find(b => b.x <= box.x && box.x <= b.x + b.width && b.y <= box.y &&
                box.y <= b.y + b.height);
            if (around && box.x + box.width > around.x + around.width) found.push(each.textContent);
          }
          document.title = `${texts.length} ` + found.join(";");"""
        self.assertEqual(self.open(plant, script=script).dom.first("title").text().strip(), "12")

    def test_columns_and_buttons_have_names_of_their_own(self):
        dom = self.open(sample()).dom
        for table in dom.all("table"):
            names = [each.text().strip() for each in table.all("th")]
            self.assertEqual(len(names), len(set(names)), names)
        for button in dom.all("button"):  # the label says what a click does; a state beside it would contradict it
            self.assertNotIn("aria-pressed", button.attributes)

    def test_all_tables_open_by_one_button(self):
        script = ("document.getElementById('tables').click();"
                  "document.title = document.querySelectorAll('details:not([open])').length")
        self.assertEqual(self.open(sample(), script=script).dom.first("title").text(), "0")

    def test_names_that_look_like_html(self):
        plant = sample(program="<script>alert('1')</script>&amp;", scheduler="x\"><b>")
        plant.arrays[0]["name"] = "std::vector<float> `x` </svg><img src=x>"
        plant.decisions[0]["says"] = "<i>\u2028"
        dom = self.open(plant).dom
        self.assertEqual(dom.first("h1").text(), "<script>alert('1')</script>&amp;")
        self.assertIsNone(dom.first("img"))
        self.assertEqual(browser.rows(dom, "arrays")[0][0], plant.arrays[0]["name"])

    def test_every_plant_opens(self):
        for make in (planted.interleaved, planted.hot_array, planted.imbalance, planted.too_fine, planted.too_few,
                     planted.false_sharing, planted.cpu_bound, planted.Planted):
            with self.subTest(make=make.__name__):
                self.file.unlink(missing_ok=True)
                self.open(make())


class PageTest(FolderTest):
    def test_asks_for_nothing(self):
        text = self.page_of(sample())
        self.assertEqual(re.findall(r"https?://", text), [])
        self.assertEqual([each for each in re.findall(r'(?:src|href)="([^"]*)"', text) if each[:1] != "#"], ["data:,"])
        self.assertIn("default-src 'none'", text)

    def test_latest_by_default(self):
        text = self.page_of(planted.Planted(program="first"), planted.Planted(program="second"))
        self.assertIn("<h1>second</h1>", text)
        self.assertIn("<h1>first</h1>", self.page_of(number=1))

    def test_red_triangles_are_explained(self):
        plant = planted.Planted()
        plant.iterate(50, 1e7)
        self.assertNotIn("A red triangle", self.page_of(plant))
        plant.iterations[0]["duration_ns"] = 5e8
        self.file.unlink()
        self.assertIn("A red triangle at the top is an iteration beyond the scale", self.page_of(plant))

    def test_same_page_twice(self):
        self.assertEqual(self.page_of(sample()), self.page_of())

    def test_simulated(self):
        text = self.page_of(sample(kind="simulated").each_worker(memory_ns=2e8, overhead_ns=1e7))
        self.assertNotIn("declared</span></dt><dd data-tile", text)
        self.assertIn("simulated</span>", text)
        self.assertIn('<dd data-tile="waiting for data" data-value="0.2">20%</dd>', text)
        self.assertNotIn('data-tile="waiting for data"', self.page_of(planted.Planted()))

    def test_many_of_everything(self):
        plant = planted.Planted(workers=300, packages=12, seconds=0.2)
        array = plant.array("a", planted.GIB, {node: 1 / 12 for node in range(12)})
        plant.all_use(array, 1e9, {node: 1 / 12 for node in range(12)})
        for number in range(40):
            plant.array(f"b{number}", planted.MIB, {0: 1.0})
        plant.iterate(20_000, 1e4)
        for thief in range(300):
            plant.steals.append(dict(thief=thief, victim=(thief * 7 + 1) % 300, steals=thief, failed=1))
        for number in range(5000):
            plant.task(number + 1, number % 300, number * 4e4, number * 4e4 + 3e4, depth=number % 40)
        text = self.page_of(plant)
        self.assertLess(len(text), 4 << 20)
        self.assertIn("The first 1 000 of 20 000 rows", text)

    def test_strange_numbers(self):
        for change in (dict(seconds=0.0), dict(work_ns=0.0, span_ns=0.0)):
            self.file.unlink(missing_ok=True)
            plant = sample()
            plant.execution.update(change)
            self.page_of(plant)
        plant = sample()
        plant.iterations = [dict(number=1, region="", begin_ns=0.0, duration_ns=0.0)]
        plant.tasks = [dict(task=1, parent=0, worker=99, begin_ns=5.0, end_ns=5.0, depth=0, span_begin=0.0,
                            span_end=0.0)]
        plant.arrays[0].update(bytes=0)
        plant.workers[3].update(os_cpu=None)
        self.page_of(plant)

    def test_some_tables_only(self):
        names = ("steals", "nodes", "arrays", "traffic", "places", "shares", "iterations", "decisions", "tasks",
                 "workers")
        for kept in names:
            plant = sample()
            for name in names:
                if name != kept:
                    getattr(plant, name).clear()
            self.page_of(plant)
            plant = sample()
            getattr(plant, kept).clear()
            self.page_of(plant)


class BadInputTest(FolderTest):
    def refuse(self, says, page=None, number=None):
        with self.assertRaises(Mistake) as refused:
            report.write(self.file, page or self.page, number)
        self.assertIn(says, str(refused.exception))
        self.assertNotIn("\n", str(refused.exception))
        self.assertFalse(self.page.exists())

    def test_files(self):
        self.refuse("no such file")
        self.file.touch()
        self.refuse("an empty file")
        self.file.write_text("text " * 1000)
        self.refuse("not a database")
        self.file.unlink()
        with closing(sqlite3.connect(self.file)) as other:
            other.execute("CREATE TABLE execution (id)")
        self.refuse("a database of another program")
        self.file.unlink()
        databases.create(self.file, says=99)
        self.refuse("a jackdaw database of version 99")
        self.file.unlink()
        databases.create(self.file, version=3)
        self.refuse("no execution in it (its version is 3")
        self.file.unlink()
        databases.create(self.file)
        self.refuse("no execution in it, expected")

    def test_execution(self):
        for _ in range(3):
            planted.Planted().save(self.file)
        self.refuse("no execution 7, expected one of 1, 2, 3", number=7)

    def test_a_value_of_another_runtime_of_the_process(self):
        for _ in range(2):
            planted.Planted().process(1.0).save(self.file)
        with closing(sqlite3.connect(self.file)) as file:
            file.execute("UPDATE execution SET seconds = 'long' WHERE id = 1")
            file.commit()
        self.refuse("execution, column seconds: 'long', expected a number", number=2)

    def test_pages(self):
        planted.Planted().save(self.file)
        self.refuse("x.html does not exist, expected a file in an existing folder", self.folder / "none" / "x.html")
        self.refuse("is a folder, expected a file", self.folder)
        # A user without rights may not write to /proc; root cannot make files there.
        with self.assertRaisesRegex(Mistake, "/proc/x.html (is not writable|cannot be written)"):
            report.write(self.file, Path("/proc/x.html"))

    def renamed(self, table, column, value):
        plant = planted.serial_first_touch()
        plant.decisions.append(dict(at_ns=1.0, worker=0, name="split", value=1, says="why"))
        plant.save(self.file)
        databases.execute(self.file, f"UPDATE {table} SET {column} = {value[0]}", *value[1:])
        said = report.write(self.file, self.page)
        self.assertEqual(len(said.splitlines()), 1)
        text = self.page.read_text(encoding="utf-8")
        self.file.unlink()
        return said, text

    NAMES = (("execution_array", "name"), ("execution", "program"), ("execution", "machine"),
             ("execution", "scheduler"), ("execution_iteration", "region"), ("execution_decision", "says"),
             ("execution_node", "kind"))

    def test_names_of_any_bytes(self):
        for table, column in self.NAMES:
            text = self.renamed(table, column, ("CAST(x'74656d70e9726174757265' AS TEXT)",))[1]
            self.assertIn("temp\ufffdrature", text)

    def test_long_names_are_shortened(self):
        whole = "long " * 20_000
        for table, column in self.NAMES:
            said, text = self.renamed(table, column, ("?", whole))
            self.assertLess(len(text), 1_000_000, column)
            self.assertNotIn(whole[:501], text, column)
        said, text = self.renamed("execution_array", "name", ("?", whole))
        self.assertIn(f"`{whole[:77]}...`", said)
        self.assertIn(f'<td title="{whole[:497]}...">{whole[:77]}...</td>', text)

    def test_names_with_control_characters_keep_to_their_line(self):
        for table, column in self.NAMES:
            text = self.renamed(table, column, ("?", "a\nb\r\x1b[31m\tc\u2028d"))[1]
            self.assertRegex(text, "a b  \\[31m c d", column)
            self.assertNotIn("\x1b", text)
        self.assertIn("`a b  [31m c d`", self.renamed("execution_array", "name",
                                                         ("?", "a\nb\r\x1b[31m\tc\u2028d"))[0])

    def test_a_possible_finding_has_no_share(self):
        plant = planted.Planted(workers=2)
        counts = plant.array("counts", 128, {0: 1.0})
        plant.shares += [dict(array=counts, part=0, parts=2, worker=worker, bytes=800, written=800)
                         for worker in range(2)]
        text = self.page_of(plant)
        also = text[text.index("<h3>Also</h3>"):text.index("<h3>What is not known</h3>")]
        self.assertIn("Workers 0 and 1 write the same line of <code>counts</code>", also)
        self.assertNotIn("At stake", also)

    def test_databases_are_not_replaced(self):
        planted.Planted().save(self.file)
        before = self.file.read_bytes()
        link, other = self.folder / "link.html", self.folder / "other.html"
        link.symlink_to(self.file)
        planted.Planted().save(other)
        for page in (self.file, self.folder / "." / "run.db", link):
            self.refuse("is the file that is read", page)
        self.refuse("other.html is an SQLite database", other)
        self.assertEqual(self.file.read_bytes(), before)
        self.assertTrue(link.is_symlink())

    def test_a_page_that_cannot_be_written_stays_as_it_was(self):
        planted.Planted().save(self.file)
        self.page.write_text("before")
        self.page.chmod(0o444)
        if os.access(self.page, os.W_OK):
            self.skipTest("this user may write everything")
        with self.assertRaises(Mistake):
            report.write(self.file, self.page)
        self.assertEqual(self.page.read_text(), "before")


class ProgramTest(FolderTest):
    """As a user calls it."""

    def run_report(self, *arguments):
        return subprocess.run([os.environ["JACKDAW_PROGRAM"], "report", *map(str, arguments)], capture_output=True,
                              text=True, check=False, cwd=self.folder,
                              env={**os.environ, "JACKDAW_PYTHON": sys.executable})

    def test_writes_a_page(self):
        planted.serial_first_touch().save(self.file)
        ended = self.run_report("run.db")
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertTrue(ended.stdout.startswith("report.html: 48% of the bytes came from another socket"), ended.stdout)
        self.assertTrue(self.page.exists())
        self.assertEqual(self.run_report("run.db", "--execution", "1", "-o", "other.html").returncode, 0)
        self.assertEqual((self.folder / "other.html").read_bytes(), self.page.read_bytes())

    def test_writes_to_standard_output(self):
        planted.serial_first_touch().save(self.file)
        self.run_report("run.db")
        expected = self.page.read_text(encoding="utf-8")
        ended = self.run_report("run.db", "-o", "/dev/stdout")
        self.assertEqual((ended.returncode, ended.stdout), (0, expected), ended.stderr)
        self.assertTrue(ended.stderr.startswith("/dev/stdout: 48% of the bytes"), ended.stderr)
        with open(self.folder / "into.html", "w", encoding="utf-8") as into:
            into.write("before\n")
            into.flush()
            subprocess.run([os.environ["JACKDAW_PROGRAM"], "report", "run.db", "-o", "/dev/stdout"], stdout=into,
                           stderr=subprocess.PIPE, check=True, cwd=self.folder,
                           env={**os.environ, "JACKDAW_PYTHON": sys.executable})
        self.assertEqual((self.folder / "into.html").read_text(encoding="utf-8"), "before\n" + expected)

    def test_a_stream_needs_no_writable_folder(self):
        """A user without rights may write to /dev/stdout, but not to /dev."""
        with unittest.mock.patch.object(os, "access", lambda path, mode: not os.path.isdir(path)):
            whole_file.check("/dev/null", False, "-o")
            with self.assertRaises(Mistake):
                whole_file.check(self.page, False, "-o")
        # Standard output may belong to another user, who has opened it.
        with unittest.mock.patch.object(os, "access", lambda path, mode: False):
            whole_file.check("/dev/stdout", False, "-o")

    def test_refuses(self):
        planted.Planted().save(self.file)
        for arguments in (("none.db",), ("run.db", "--execution", "5"), ("run.db", "--execution", "x"),
                          ("run.db", "--execution", "99999999999999999999"), ("run.db", "--execution", "-9" + "9" * 20),
                          ("run.db", "-o", "none/x.html"), ("run.db", "--unknown"), ()):
            ended = self.run_report(*arguments)
            self.assertEqual(ended.returncode, 2, arguments)
            self.assertEqual(ended.stdout, "", arguments)
            self.assertEqual(ended.stderr.count("\n"), 1, ended.stderr)
            self.assertTrue(ended.stderr.startswith("jackdaw: "), ended.stderr)


def channels(colour):
    return [int(each) / 255 for each in re.findall(r"\d+", colour)[:3]]


def brightness(colour):
    """Relative luminance, as WCAG defines it."""
    return sum(weight * (each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4)
               for weight, each in zip((0.2126, 0.7152, 0.0722), channels(colour)))


def contrast(one, other):
    dim, bright = sorted((brightness(one), brightness(other)))
    return (bright + 0.05) / (dim + 0.05)


if __name__ == "__main__":
    unittest.main()
