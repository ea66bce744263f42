import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseDefinition } from '../../src/modules/experiments/parse-definition.ts'

const folder = new URL('../../../../examples/', import.meta.url)

it.each(readdirSync(folder).filter((file) => file.endsWith('.json')))(
  '%s is a definition without errors or warnings',
  (file) => {
    const { warnings } = parseDefinition(JSON.parse(readFileSync(new URL(file, folder), 'utf8')))
    expect(warnings).toEqual([])
  },
)
