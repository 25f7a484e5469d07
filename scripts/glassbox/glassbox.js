#!/usr/bin/env node
import '../../cli/launcher.js';
