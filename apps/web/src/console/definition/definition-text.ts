import type { DefinitionFinding, ValidationIssue } from '@atrium/contract'

export const asFindings = (
  level: DefinitionFinding['level'],
  issues: readonly ValidationIssue[],
): DefinitionFinding[] => issues.map(({ path, message }) => ({ level, path, message }))

export const formatDefinition = (definition: unknown): string => `${JSON.stringify(definition, null, 2)}\n`
