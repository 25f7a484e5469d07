import './league/league.css';
import { render } from 'preact';
import { applyPreferences } from './frame/preferences.ts';
import { App } from './league/app.tsx';
import { keepAddress, openDocument } from './league/state.ts';

applyPreferences();
openDocument();
keepAddress();
const root = document.getElementById('page');
if (root !== null) render(<App />, root);
