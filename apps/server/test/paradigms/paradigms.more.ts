import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describeInBothModes } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { parseDefinition } from '../../src/modules/experiments/parse-definition.ts'
import { differencesBetween } from './differences.ts'
import { oddTrialsIn } from './flat-trials.ts'
import { playParadigm } from './play-paradigm.ts'
import type { Recomputation } from './recomputation.ts'

const folder = new URL('../../../../examples/paradigms/', import.meta.url)
const paradigms = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace(/\.json$/, ''))

const definitionOf = (name: string) =>
  parseDefinition(JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'))).definition

async function recomputationOf(name: string): Promise<Recomputation> {
  const file = new URL(`${name}.ts`, import.meta.url)
  if (!existsSync(file)) throw new Error(`${name} has no recomputation: write ${file.pathname}`)
  // biome-ignore lint/plugin: a file beside this one, whichever studies there are; it stays within the tests.
  const { recomputation } = await import(file.href)
  return recomputation
}

it('the page about the paradigms has a row for each of them', () => {
  const page = readFileSync(new URL('README.md', folder), 'utf8')
  const listed = [...page.matchAll(/^\| \[[^\]]+\]\(([\w-]+)\.json\) \|/gm)].map(([, name]) => name)
  expect(listed.toSorted()).toEqual(paradigms.toSorted())
})

it.each(paradigms)('%s needs no code', (name) => {
  expect(JSON.stringify(definitionOf(name))).not.toContain('"custom_html"')
})

describeInBothModes(
  'What every person earned follows from answers and draws alone:',
  (world) => {
    it.concurrent.each(paradigms)('%s', async (name) => {
      const { compute, ...bots } = await recomputationOf(name)
      const { broken, results, study } = await playParadigm(world(), definitionOf(name), bots)
      expect(broken).toEqual([])
      expect(oddTrialsIn(study)).toEqual([])
      const recomputed = compute(study)
      expect(recomputed.length).toBeGreaterThan(0)
      expect(differencesBetween(results, recomputed)).toEqual([])
    })
  },
  { router: true, objects: true, env: { MAX_ROOMS_PER_POD: '1000', MAX_PARTICIPANTS_PER_POD: '1000' } },
)
