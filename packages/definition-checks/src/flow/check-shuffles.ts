import type { ExperimentDefinition, ValidationIssue } from '@atrium/contract'
import type { DeclaredNames } from './definition-names.ts'
import { finding, pointer } from './findings.ts'

/** F112: what changes places in a state is there. */
export const checkShuffles = (
  { states }: ExperimentDefinition,
  { suggest }: DeclaredNames,
): ValidationIssue[] =>
  states.flatMap(({ id, shuffle, components }, at) => {
    if (!Array.isArray(shuffle)) return []
    const known = components.map((component) => component.id)
    return shuffle.flatMap((name, index) => {
      const path = pointer('states', at, 'shuffle', index)
      if (shuffle.indexOf(name) < index) return [finding(path, `component ‘${name}’ is already in this list`)]
      if (known.includes(name)) return []
      const meant = suggest(name, known)
      return [
        finding(path, `state ‘${id}’ has no component ‘${name}’${meant ? `; did you mean ‘${meant}’?` : ''}`),
      ]
    })
  })
