/** The page of a league: shows who leads it, and everybody in it. */
import { render } from 'preact';
import './league/league.css';
import { applyPreferences } from './frame/preferences.ts';
import { App } from './league/app.tsx';
import { openDocument } from './league/source.ts';
import { keepAddress } from './league/state.ts';

applyPreferences();
openDocument();
keepAddress();
const root = document.getElementById('page');
if (root !== null) render(<App />, root);
