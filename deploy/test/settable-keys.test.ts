import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { deployFolder } from '../render/chart.ts'
import { deployedPrograms } from './programs.ts'

/** Keys that nobody can set in the chart, each with the reason. */
const exceptions: Record<string, string> = {
  PORT: 'services, probes and policies name the port',
  ROUTER_PORT: 'services, probes and policies name the port',
  WEB_PORT: 'services, probes and policies name the port',
  WORK_PORT: 'probes name the port',
  METRICS_PORT: 'services and policies name the port',
  WEB_DIR: 'the image has the pages',
  DATA_DIR: 'the image says where its volume is',
  FFMPEG_PATH: 'the image has ffmpeg on its PATH',
  FFPROBE_PATH: 'the image has ffprobe on its PATH',
  MIN_FREE_BYTES: 'instances keep their data in PostgreSQL and S3, not on a disk of their own',
  NODE_ENV: 'HOSTED says the same',
  PROLIFIC_API_URL: 'there is only one Prolific; tests have their own',
  ROUTER_BACKENDS: 'routers find the instances in Redis',
}
/** Keys that only one program cannot be given. */
const exceptionsOf: Record<string, Record<string, string>> = {
  'programs/serve.mjs': { FFMPEG_PRESET: 'several instances leave transcoding to workers' },
}

const readChart = (name: string): string => readFileSync(join(deployFolder, 'chart', name), 'utf8')
const { podIdentity, secret } = parse(readChart('values.yaml'))
const settable = new Set([
  ...Object.keys(JSON.parse(readChart('values.schema.json')).properties.config.properties),
  ...[secret.keys, secret.videoKeys, secret.optionalKeys].flat(),
])

/** The chart has no object store: people bring an S3. */
const templates = [
  ['programs/serve.mjs', 'backend'],
  ['programs/route.mjs', 'router'],
  ['programs/web.mjs', 'web'],
  ['programs/work.mjs', 'worker'],
] as const

test('every program is deployed by a template, apart from the object store', () => {
  const deployed: string[] = templates.map(([program]) => program)
  expect(Object.keys(deployedPrograms).filter((program) => !deployed.includes(program))).toEqual([
    'programs/store.mjs',
  ])
})

describe.each(templates)('%s', (program, component) => {
  const template = readChart(`templates/${component}.yaml`)
  expect(template).toContain(program)
  /** Names passed to `atrium.env`, which people set; names that the template sets by itself. */
  const passed = [...template.matchAll(/"([A-Z][A-Z0-9_]+)"/g)].map(([, name = '']) => name)
  const fixed = [...template.matchAll(/- name: ([A-Z][A-Z0-9_]+)$/gm)].map(([, name = '']) => name)
  const identity = template.includes('.Values.podIdentity') ? Object.keys(podIdentity) : []
  const names = (deployedPrograms[program]?.keys ?? []).map(({ name }) => name)
  const excepted = { ...exceptions, ...exceptionsOf[program] }

  test('has a place in the chart for each of its keys, or there is a reason', () => {
    expect(passed.filter((name) => !settable.has(name))).toEqual([])
    const given = new Set([...passed, ...fixed, ...identity])
    expect(names.filter((name) => !given.has(name) && !(name in excepted))).toEqual([])
    expect(names.filter((name) => given.has(name) && name in excepted)).toEqual([])
  })
})

test('every exception is for a key that exists', () => {
  const all = Object.values(deployedPrograms).flatMap(({ keys }) => keys.map(({ name }) => name))
  expect(Object.keys(exceptions).filter((name) => !all.includes(name))).toEqual([])
})
