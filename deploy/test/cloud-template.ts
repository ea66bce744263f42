import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, type ScalarTag } from 'yaml'
import { deployFolder } from '../render/chart.ts'

interface Resource {
  Type: string
  Properties: Record<string, unknown>
}

interface Template {
  Parameters: Record<string, object>
  Conditions: Record<string, unknown>
  Resources: Record<string, Resource>
  Outputs: Record<string, { Value: unknown }>
}

/** The short forms of CloudFormation's functions become the long ones. */
const scalarTags: ScalarTag[] = [
  { tag: '!Ref', resolve: (name) => ({ Ref: name }) },
  { tag: '!GetAtt', resolve: (path) => ({ 'Fn::GetAtt': path }) },
  { tag: '!Sub', resolve: (text) => ({ 'Fn::Sub': text }) },
]
const listTags = ['If', 'Not', 'Equals'].map((name) => ({
  tag: `!${name}`,
  collection: 'seq' as const,
  resolve: (list: { toJSON(): unknown }) => ({ [`Fn::${name}`]: list.toJSON() }),
}))

export const template: Template = parse(readFileSync(join(deployFolder, 'cloud', 'template.yaml'), 'utf8'), {
  customTags: [...scalarTags, ...(listTags as never[])],
})

export const resourcesOf = (type: string): Array<[name: string, properties: Record<string, unknown>]> =>
  Object.entries(template.Resources).flatMap(([name, resource]) =>
    resource.Type === type ? [[name, resource.Properties]] : [],
  )

/** Every object inside a value, itself included. */
export function objectsIn(value: unknown): Array<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(objectsIn)
  return Array.isArray(value) ? inside : [value as Record<string, unknown>, ...inside]
}

/** What a value refers to: names of resources and parameters, with the attribute if there is one. */
export const referencesIn = (value: unknown): Array<{ name: string; attribute?: string }> =>
  objectsIn(value).flatMap((object) => {
    if (typeof object.Ref === 'string') return [{ name: object.Ref }]
    const path = object['Fn::GetAtt']
    if (typeof path === 'string') return [asReference(path)]
    const text = object['Fn::Sub']
    if (typeof text !== 'string') return []
    return [...text.matchAll(/\$\{([^}]+)\}/g)].map(([, inside = '']) => asReference(inside))
  })

function asReference(path: string): { name: string; attribute?: string } {
  const [name = '', attribute] = path.split('.')
  return attribute === undefined ? { name } : { name, attribute }
}
