import type { Row } from '../tables/row.ts'
import type { ManifestFacts } from './manifest.ts'

/** By the type of a column, as the codebook has it. */
const schemaTypes: Readonly<Record<string, string>> = {
  text: 'https://schema.org/Text',
  whole: 'https://schema.org/Integer',
  number: 'https://schema.org/Number',
  flag: 'https://schema.org/Boolean',
  time: 'https://schema.org/DateTime',
  json: 'https://schema.org/Text',
}

/** Psych-DS: JSON-LD with the terms of schema.org only, and a variable for every column of every file. */
export const datasetDescription = (facts: ManifestFacts, codebook: readonly Row[]) => ({
  '@context': 'https://schema.org/',
  '@type': 'Dataset',
  name: facts.name,
  description: facts.description || `Data of the experiment ‘${facts.name}’, exported by Atrium.`,
  identifier: facts.experimentId,
  version: facts.revisions.map((revision) => `revision ${revision}`).join(', ') || undefined,
  dateCreated: new Date(facts.now).toISOString(),
  creator: { '@type': 'SoftwareApplication', name: 'Atrium', softwareVersion: facts.version },
  variableMeasured: [...Map.groupBy(codebook, ({ variable }) => String(variable))].map(variableOf),
})

/** A column that several tables have, or that has meant several things, is one variable. */
function variableOf([name, rows]: [string, Row[]]) {
  const [first] = rows
  const distinct = (key: string): string[] => [
    ...new Set(rows.flatMap((row) => (row[key] == null || row[key] === '' ? [] : [String(row[key])]))),
  ]
  const only = (key: string) => {
    const values = new Set(rows.map((row) => row[key] ?? undefined))
    return values.size === 1 ? [...values][0] : undefined
  }
  const values = only('values')
  return {
    '@type': 'PropertyValue',
    name,
    alternateName: distinct('label').join(' | ') || undefined,
    description: distinct('description').join(' | ') || undefined,
    additionalType: schemaTypes[String(first?.type)],
    unitText: only('unit'),
    minValue: only('minimum'),
    maxValue: only('maximum'),
    valueReference: typeof values === 'string' ? JSON.parse(values).map(valueReference) : undefined,
  }
}

const valueReference = ({ value, label }: { value: unknown; label?: string }) => ({
  '@type': 'PropertyValue',
  value,
  name: label,
})
