import { initJsPsych, type JsPsych, type JsPsychPlugin, ParameterType, type PluginInfo } from 'jspsych'
import { loadPictures } from '../participant/views/reaction/load-pictures.ts'
import type { FrameReport, RunMessage } from './messages.ts'
import { pluginLoaders } from './plugins.ts'
import { createTouchKeys } from './touch-keys.ts'
import 'jspsych/css/jspsych.css'
import '@atrium/design/tokens.css'
import '@atrium/design/typeface.css'
import './frame.css'

/** To the page around us, whatever its origin is to an opaque one: it recognises us by our window. */
const tell = (report: FrameReport): void => parent.postMessage(report, '*')

// Only inside a sandbox, where the origin is opaque, and only for a page of the same site: HTML of strangers must not be
// shown under the site’s name.
if (self.origin === 'null' && parent !== self) {
  addEventListener('message', function start(event) {
    if (event.source !== parent || event.origin !== new URL(location.href).origin) return
    if (!isRunMessage(event.data)) return
    removeEventListener('message', start)
    runTimeline(event.data).catch((error: unknown) => {
      console.error(error)
      tell({ atrium: 'timeline_failed' })
    })
  })
  tell({ atrium: 'frame_loaded' })
}

const isRunMessage = (data: unknown): data is RunMessage =>
  typeof data === 'object' && data !== null && 'atrium' in data && data.atrium === 'run_timeline'

async function runTimeline(message: RunMessage): Promise<void> {
  dress(message)
  keepFrame()
  const plugins = await loadPlugins(message.trials)
  const touchKeys = createTouchKeys(document.body, message.anyKey)
  let current: Record<string, unknown> = {}
  // Not when a trial starts: it does not listen for keys yet, and a quick tap would be lost.
  const showKeys = () => touchKeys.show(keysOf(current))
  const timeline = message.trials.flatMap((trial) => {
    const type = plugins.get(trial.type)
    return type ? [{ ...trial, type, on_load: showKeys }] : []
  })
  const pictures = await loadPictures(timeline.flatMap(picturesOf))
  const jsPsych = initJsPsych({
    on_trial_start: (trial: Record<string, unknown>) => {
      current = trial
    },
    on_data_update: (data: Record<string, unknown>) => tell({ atrium: 'trial_finished', data }),
  })
  tell({ atrium: 'timeline_started' })
  // The page uncovers the frame now. The first trial waits until it is on the screen, or its time would start too early.
  await nextFrame()
  await nextFrame()
  await jsPsych.run(timeline)
  touchKeys.show([])
  // Kept until here, so that the browser forgets none of them.
  pictures.length = 0
  tell({ atrium: 'timeline_finished' })
}

const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))

/** A link or a form in a stimulus would take the frame away, and the rest of the timeline with it. */
function keepFrame(): void {
  document.addEventListener('submit', (event) => event.preventDefault(), { capture: true })
  document.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('a[href], area[href]')) event.preventDefault()
  })
}

function dress({ language, direction, accent, onAccent }: RunMessage): void {
  const { documentElement: root } = document
  root.lang = language
  root.dir = direction
  if (accent !== '') root.style.setProperty('--accent', accent)
  if (onAccent !== '') root.style.setProperty('--on-accent', onAccent)
}

interface PluginClass {
  new (jsPsych: JsPsych): JsPsychPlugin<PluginInfo>
  prototype: JsPsychPlugin<PluginInfo>
}

/** Each once. A name that nobody knows was refused on saving. */
async function loadPlugins(trials: RunMessage['trials']) {
  const loaders: Readonly<Record<string, () => Promise<{ default: PluginClass }>>> = pluginLoaders
  const names = [...new Set(trials.map(({ type }) => type))]
  const loaded = await Promise.all(
    names.map(async (name) => {
      const load = Object.hasOwn(loaders, name) ? loaders[name] : undefined
      if (!load) throw new Error(`there is no plugin ${name}`)
      return [name, (await load()).default] as const
    }),
  )
  return new Map(loaded)
}

type Trial = Readonly<Record<string, unknown>>

/** Values of the parameters that the plugin of a trial declares as one of these types. */
function valuesOf(trial: Trial, types: readonly ParameterType[]): unknown[] {
  const info: unknown = typeof trial.type === 'function' ? Reflect.get(trial.type, 'info') : undefined
  const parameters: unknown = typeof info === 'object' && info !== null ? Reflect.get(info, 'parameters') : {}
  return Object.entries(Object(parameters)).flatMap(([name, declared]) =>
    types.includes(Reflect.get(Object(declared), 'type')) ? [trial[name]] : [],
  )
}

const picturesOf = (trial: Trial): string[] =>
  valuesOf(trial, [ParameterType.IMAGE]).filter((value) => typeof value === 'string')

/** The keys that a trial waits for, once its defaults are filled in; null stands for any key. */
function keysOf(trial: Trial): readonly (string | null)[] {
  // Pages of instructions with buttons of their own.
  if (trial.allow_keys === false || trial.show_clickable_nav === true) return []
  const given = valuesOf(trial, [ParameterType.KEY, ParameterType.KEYS]).flat(3)
  const named = given.filter(
    (key): key is string => typeof key === 'string' && key !== 'ALL_KEYS' && key !== 'NO_KEYS',
  )
  if (named.length > 0) return [...new Set(named)]
  return given.includes('ALL_KEYS') ? [null] : []
}
