// What every run of tests needs on this machine, installed where it is missing.
import { timedInBackground } from './packages/timed.mjs'
import { installPackages } from './setup.mjs'
import {
  findProgram,
  installOptionalPrograms,
  installSystemPrograms,
  videoPrograms,
} from './system-programs.mjs'

/** A second browser; and files for other programs are tested with these: alert rules, the proxy, units of systemd, exports. */
const longPrograms = [
  ...(findProgram('firefox') ? [] : [{ program: 'firefox-esr', package: 'firefox-esr' }]),
  { program: 'promtool', package: 'prometheus' },
  { program: 'nginx', package: 'nginx-light' },
  { program: 'systemd-analyze', package: 'systemd' },
  { program: 'Rscript', package: 'r-base-core' },
  { program: 'python3', module: 'pandas', package: 'python3-pandas' },
]

/** The same browser without what only a window needs. Not every system has it. */
const lightBrowser = { program: 'chromium-headless-shell', package: 'chromium-headless-shell' }

/** Packages from npm and, at the same time, programs from the system. `isLong`: also what only `npm run test:long` needs. */
export async function prepareTests({ isLong }) {
  await Promise.all([installPackages({ report: timedInBackground }), installPrograms(isLong)])
}

async function installPrograms(isLong) {
  await installOptionalPrograms([lightBrowser], 'browser tests take longer')
  await installSystemPrograms([
    { program: 'postgres', package: 'postgresql' },
    { program: 'initdb', package: 'postgresql' },
    { program: 'redis-server', package: 'redis-server' },
    ...(findProgram(lightBrowser.program) ? [] : [{ program: 'chromium', package: 'chromium' }]),
    { program: 'script', package: 'bsdutils' },
    ...videoPrograms,
    ...(isLong ? longPrograms : []),
  ])
}
