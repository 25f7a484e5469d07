/** The bar on top: what was checked, which run of it one looks at, and what concerns the whole page. */
import { Head, HelpTool, LinkTool, ThemeTool } from '../../frame/head.tsx';
import { copyLink } from '../state/address.ts';
import { report, run, visit } from '../state/visit.ts';

/** More runs than this are chosen from a list. */
const MOST_BUTTONS = 4;

export function Bar() {
  const { title = '', conclusion = '', exit = 0 } = report.value ?? {};
  return (
    <Head
      kind="check"
      title={title}
      now={<span data-exit={exit}>{conclusion}</span>}
      inside="check"
      tools={
        <>
          <LinkTool label="Copy a link to this step" with="C" onClick={copyLink} />
          <ThemeTool with="T" />
          <HelpTool />
        </>
      }
    >
      <Runs />
    </Head>
  );
}

/** Mutants are chosen from their table. */
function Runs() {
  const { about = 'search', runs = [] } = report.value ?? {};
  if (about === 'mutants' || runs.length < 2) return null;
  if (runs.length > MOST_BUTTONS)
    return (
      <label class="runs">
        <span class="vh">Run</span>
        <select value={run.value?.key} onChange={({ currentTarget }) => visit(currentTarget.value)}>
          {runs.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      </label>
    );
  return (
    <fieldset class="lenses">
      <legend class="vh">Run</legend>
      {runs.map(({ key, name }) => (
        <button
          key={key}
          type="button"
          aria-pressed={run.value?.key === key}
          onClick={() => visit(key)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}
