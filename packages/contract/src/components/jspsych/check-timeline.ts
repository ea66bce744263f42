import { compiledOnce } from '../../compiled-once.ts'
import { jsonBytesOf } from '../../text.ts'
import { error, type Finding, type Settings } from '../component-type.ts'
import { nearestName, type Suggest } from '../nearest.ts'
import { parameterFindings } from './check-parameter.ts'
import { parameterTable } from './parameter-table.ts'
import { type JspsychPlugin, jspsychPlugins, type PluginParameter } from './plugins.ts'
import {
  type BlockNode,
  isBlock,
  maxTrials,
  plannedTrials,
  Timeline,
  type TrialNode,
  trialCountOf,
  variableNamedBy,
} from './timeline.ts'

/** What the data of all trials may take without the answers, so that there is room for those. */
const maxKnownBytes = 64 * 1_024
/** A trial without its stimulus, its `data` and long answers. */
const usualTrialBytes = 200
const deepest = 8

/** Fields of any trial that are not parameters of its plugin. */
const ownFields: readonly string[] = ['type', 'data', 'post_trial_gap', 'save_trial_parameters']
const blockFields: readonly string[] = ['timeline', 'timeline_variables', 'repetitions', 'randomize_order']
/** jsPsych would call them, or read functions from them. */
const callbacks: readonly string[] = [
  'on_start',
  'on_load',
  'on_finish',
  'on_timeline_start',
  'on_timeline_finish',
  'conditional_function',
  'loop_function',
  'extensions',
  'simulation_options',
]
const dangerous: readonly string[] = ['__proto__', 'constructor', 'prototype']

const isTimeline = compiledOnce(Timeline)

/**
 * Checks each trial against its plugin. Not part of the declaration, because pages load that, and would load the table of
 * all parameters with it.
 */
export function timelineFindings({ timeline }: Settings, suggest: Suggest = nearestName): Finding[] {
  if (!isTimeline(timeline)) return [] // The schema says what is wrong.
  const unsafe = keyFindings(timeline, '/timeline', 0)
  if (unsafe.length > 0) return unsafe
  const found = timeline.flatMap((node, index) =>
    isBlock(node)
      ? blockFindings(node, `/timeline/${index}`, suggest)
      : trialFindings(node, `/timeline/${index}`, undefined, suggest),
  )
  return [...found, ...insertFindings(timeline, '/timeline'), ...sizeFindings(timeline)]
}

/** HTML has no values in it, because participants may have written them: they would read the braces. */
function insertFindings(value: unknown, path: string): Finding[] {
  if (typeof value === 'string')
    return value.includes('{{')
      ? [error(path, 'would be shown with its {{…}}: a timeline has no variables of the study')]
      : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, child]) => insertFindings(child, `${path}/${name}`))
}

/** Names that would change objects in the browser, or that never reach it; and what no plugin needs. */
function keyFindings(value: unknown, path: string, depth: number): Finding[] {
  if (typeof value !== 'object' || value === null) return []
  if (depth > deepest + 4) return [error(path, `is nested more than ${deepest} levels deep`)]
  return Object.entries(value).flatMap(([key, child]) => {
    const at = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (dangerous.includes(key)) return [error(at, `‘${key}’ cannot be used as a name`)]
    if (key === 'correct')
      return [
        error(at, '‘correct’ is never sent to participants; choose another name, such as ‘correct_response’'),
      ]
    return keyFindings(child, at, depth + 1)
  })
}

function blockFindings(block: BlockNode, path: string, suggest: Suggest): Finding[] {
  const rows = block.timeline_variables ?? []
  const names = new Set(rows.flatMap((row) => Object.keys(row)))
  const missing = rows.flatMap((row, index) =>
    [...names]
      .filter((name) => !Object.hasOwn(row, name))
      .map((name) =>
        error(`${path}/timeline_variables/${index}/${name}`, 'is missing, although other rows have it'),
      ),
  )
  const unknown = Object.keys(block)
    .filter((name) => !blockFields.includes(name))
    .map((name) => foreignField(`${path}/${name}`, name, blockFields, suggest, 'field of a block'))
  const inTrials = block.timeline.flatMap((trial, index) =>
    trialFindings(trial, `${path}/timeline/${index}`, { rows, path: `${path}/timeline_variables` }, suggest),
  )
  return [...missing, ...unknown, ...inTrials]
}

interface Variables {
  rows: readonly Readonly<Record<string, unknown>>[]
  path: string
}

function trialFindings(
  trial: TrialNode & Readonly<Record<string, unknown>>,
  path: string,
  variables: Variables | undefined,
  suggest: Suggest,
): Finding[] {
  if (!isPlugin(trial.type)) {
    const meant = suggest(trial.type, jspsychPlugins)
    const known = meant === undefined ? `one of ${jspsychPlugins.join(', ')}` : `did you mean ‘${meant}’?`
    return [error(`${path}/type`, `unknown jsPsych plugin ‘${trial.type}’; ${known}`)]
  }
  const parameters = parameterTable[trial.type]
  const given = Object.entries(trial).filter(([name]) => !ownFields.includes(name))
  const missing = Object.entries(parameters)
    .filter(([name, { isRequired }]) => isRequired && !Object.hasOwn(trial, name))
    .map(([name]) => error(`${path}/${name}`, 'is missing'))
  return [
    ...missing,
    ...given.flatMap(([name, value]) => {
      const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined
      if (!parameter)
        return [
          foreignField(
            `${path}/${name}`,
            name,
            Object.keys(parameters),
            suggest,
            `parameter of ${trial.type}`,
          ),
        ]
      return valueFindings(parameter, value, `${path}/${name}`, variables)
    }),
    ...Object.entries(trial.data ?? {}).flatMap(([name, value]) =>
      variableFindings(value, `${path}/data/${name}`, variables),
    ),
    ...Object.keys(trial.save_trial_parameters ?? {})
      .filter((name) => !Object.hasOwn(parameters, name))
      .map((name) =>
        error(`${path}/save_trial_parameters/${name}`, `${trial.type} has no parameter ‘${name}’`),
      ),
  ]
}

const isPlugin = (type: string): type is JspsychPlugin => Object.hasOwn(parameterTable, type)

function foreignField(
  path: string,
  name: string,
  known: readonly string[],
  suggest: Suggest,
  what: string,
): Finding {
  if (callbacks.includes(name))
    return error(path, `‘${name}’ takes functions, which a definition cannot contain`)
  const meant = suggest(name, known)
  return error(path, `‘${name}’ is no ${what}${meant === undefined ? '' : `; did you mean ‘${meant}’?`}`)
}

/** A variable is checked in every row, and reported there. */
function valueFindings(
  parameter: PluginParameter,
  value: unknown,
  path: string,
  variables: Variables | undefined,
): Finding[] {
  const name = variableNamedBy(value)
  if (name === undefined)
    return [...variableFindings(value, path, variables), ...parameterFindings(parameter, value, path)]
  const unknown = variableFindings(value, path, variables)
  if (unknown.length > 0 || variables === undefined) return unknown
  return variables.rows.flatMap((row, index) =>
    Object.hasOwn(row, name)
      ? parameterFindings(parameter, row[name], `${variables.path}/${index}/${name}`)
      : [],
  )
}

/** Names of variables that no row has, at any depth. */
function variableFindings(value: unknown, path: string, variables: Variables | undefined): Finding[] {
  const name = variableNamedBy(value)
  if (name !== undefined)
    return variables?.rows.some((row) => Object.hasOwn(row, name))
      ? []
      : [error(path, `timeline variable ‘${name}’ does not exist in \`timeline_variables\` of this block`)]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => variableFindings(child, `${path}/${key}`, variables))
}

function sizeFindings(timeline: Parameters<typeof plannedTrials>[0]): Finding[] {
  const count = trialCountOf(timeline)
  if (count > maxTrials)
    return [error('/timeline', `has ${count.toLocaleString('en')} trials; up to ${maxTrials} are possible`)]
  const knownBytes = plannedTrials(timeline, (rows) => rows).reduce((sum, trial) => {
    const isSaved = trial.save_trial_parameters?.stimulus !== false
    const shown = isSaved ? [trial.stimulus, trial.stimuli] : []
    return sum + usualTrialBytes + jsonBytesOf([trial.data ?? {}, ...shown])
  }, 0)
  return knownBytes <= maxKnownBytes
    ? []
    : [
        error(
          '/timeline',
          'its trials would record more than 64 KiB; shorten stimuli and `data`, or leave stimuli out with "save_trial_parameters": {"stimulus": false}',
        ),
      ]
}
