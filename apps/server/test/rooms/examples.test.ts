import { readdirSync, readFileSync } from 'node:fs'
import type { ExperimentDefinition } from '@atrium/contract'
import { componentTypes } from '@atrium/contract/components'
import { expect, it } from 'vitest'
import { parseDefinition } from '../../src/modules/experiments/parse-definition.ts'

const folder = new URL('../../../../examples/', import.meta.url)

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.json') && !file.startsWith('own-page'),
)

it.each(files)('%s is a definition without errors or warnings', (file) => {
  const { warnings } = parseDefinition(JSON.parse(readFileSync(new URL(file, folder), 'utf8')))
  expect(warnings).toEqual([])
})

it('survey-kinds asks every kind of question that is sent with the button of the page, once', () => {
  const { states }: ExperimentDefinition = JSON.parse(
    readFileSync(new URL('survey-kinds.json', folder), 'utf8'),
  )
  const asked = states.flatMap(({ components }) => components.map(({ type }) => type))
  const kinds = Object.values(componentTypes).filter(({ sentBy }) => sentBy === 'page_button')
  expect(asked.filter((type) => kinds.some((kind) => kind.type === type)).toSorted()).toEqual(
    kinds.map(({ type }) => type).toSorted(),
  )
})
