import { agents } from './en/console-agents.ts'
import { builder } from './en/console-builder.ts'
import { definition } from './en/console-definition.ts'
import { experiments } from './en/console-experiments.ts'
import { firstSteps } from './en/console-first-steps.ts'
import { format } from './en/console-format.ts'
import { keys } from './en/console-keys.ts'
import { launch } from './en/console-launch.ts'
import { live } from './en/console-live.ts'
import { media } from './en/console-media.ts'
import { mediaFiles } from './en/console-media-files.ts'
import { plots } from './en/console-plots.ts'
import { recruiting } from './en/console-recruiting.ts'
import { replay } from './en/console-replay.ts'
import { rooms } from './en/console-rooms.ts'
import { shell } from './en/console-shell.ts'
import { studyAgents } from './en/console-study-agents.ts'
import { studyTabs } from './en/console-study-tabs.ts'
import { system } from './en/console-system.ts'
import { tryIt } from './en/console-try.ts'
import { inPageLanguage } from './language.ts'

const en = {
  format,
  ...shell,
  ...experiments,
  ...firstSteps,
  ...definition,
  ...builder,
  ...launch,
  ...tryIt,
  ...media,
  ...mediaFiles,
  ...agents,
  ...studyAgents,
  ...system,
  ...keys,
  ...rooms,
  replay,
  live,
  ...recruiting,
  ...plots,
  ...studyTabs,
}
type ConsoleTexts = typeof en

/** Everything that researchers read in the console. */
export const texts = (): ConsoleTexts => inPageLanguage<ConsoleTexts>({ en })
