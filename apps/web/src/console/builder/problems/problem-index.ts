import type { DefinitionFinding } from '@atrium/contract'

export interface ProblemIndex {
  at: (pointer: string) => readonly DefinitionFinding[]
  /** Of a place and everything in it. */
  within: (pointer: string) => readonly DefinitionFinding[]
}

const none: readonly DefinitionFinding[] = []

/** Findings by place. The same list for the same place, so that what shows them need not be drawn again. */
export function indexProblems(findings: readonly DefinitionFinding[]): ProblemIndex {
  const here = new Map<string, DefinitionFinding[]>()
  const inside = new Map<string, DefinitionFinding[]>()
  for (const finding of findings) {
    addTo(here, finding.path, finding)
    for (let outer = finding.path; ; outer = outer.slice(0, outer.lastIndexOf('/'))) {
      addTo(inside, outer, finding)
      if (!outer.includes('/')) break
    }
  }
  return { at: (pointer) => here.get(pointer) ?? none, within: (pointer) => inside.get(pointer) ?? none }
}

function addTo(map: Map<string, DefinitionFinding[]>, key: string, finding: DefinitionFinding): void {
  const found = map.get(key)
  if (found) found.push(finding)
  else map.set(key, [finding])
}
