import { ExperimentDefinition, Variable } from '@atrium/contract'
import { Stack, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import { texts } from '../../text/console.ts'
import { ComponentList } from './component-list.tsx'
import { isObject } from './core/document.ts'
import { hasStages } from './core/parts.ts'
import { useFormTools } from './form/form-tools.tsx'
import { ObjectFields } from './form/object-field.tsx'
import type { Schema } from './form/schema.ts'
import { NetworkPreview } from './preview/network-preview.tsx'
import { keysOf, type SectionId, type Selection, sections } from './sections.ts'
import { StageForm } from './stage-form.tsx'
import { StateForm } from './state-form.tsx'

const definition = ExperimentDefinition as unknown as Schema
const parts: Readonly<Record<string, Schema>> = definition.properties ?? {}

function schemaOf(key: string): Schema {
  const { startValue, paradata } = texts().builder.form
  const schema = parts[key] ?? {}
  // The schema leaves the short form of a variable open; a form needs both.
  const variable = { anyOf: [Variable as unknown as Schema, { title: startValue }] }
  if (key === 'variables') return { ...schema, patternProperties: { '.*': variable } }
  if (key === 'paradata') return { ...schema, description: paradata.hint }
  return schema
}

interface InspectorProps {
  document: unknown
  selection: Selection
  onJoinStages: () => void
}

/** The form for what is selected in the outline. */
export function Inspector({ document, selection, onJoinStages }: InspectorProps) {
  const whole = isObject(document) ? document : {}
  if (selection.kind === 'state')
    return <StateForm key={selection.at} document={document} at={selection.at} />
  if (selection.kind === 'stage')
    return <StageForm key={selection.at} document={document} at={selection.at} onJoin={onJoinStages} />
  return <SectionForm key={selection.id} id={selection.id} value={whole} />
}

function SectionForm({ id, value }: { id: SectionId; value: Record<string, unknown> }) {
  const { findingsAt } = useFormTools()
  const text: { title: string; hint: string; empty?: string } = texts().builder.sections[id]
  const keys = allKeysOf(id, value)
  const properties = useMemo(() => Object.fromEntries(keys.map((key) => [key, schemaOf(key)])), [keys])
  const isWhole = id === 'basics'
  return (
    <Stack gap="sm">
      <div>
        <Title order={2} size="h4">
          {text.title}
        </Title>
        <Text size="sm" c="dimmed">
          {text.hint}
        </Text>
      </div>
      {isWhole &&
        findingsAt('').map(({ message }) => (
          <Text key={message} size="sm" c="var(--mantine-color-error)">
            {message}
          </Text>
        ))}
      {text.empty !== undefined && !keys.some((key) => Object.hasOwn(value, key)) && (
        <Text size="sm">{text.empty}</Text>
      )}
      {id === 'global' ? (
        <ComponentList list={['globalComponents']} components={value.globalComponents} />
      ) : (
        <ObjectFields
          at=""
          schema={definition}
          properties={properties}
          value={Object.fromEntries(
            keys.flatMap((key) => (Object.hasOwn(value, key) ? [[key, value[key]]] : [])),
          )}
          usual={usualIn[id] ?? []}
          isPart
        />
      )}
      {id === 'group' && <NetworkPreview document={value} />}
    </Stack>
  )
}

/** Also what no section knows, so that nothing of a definition is out of reach. */
function allKeysOf(id: SectionId, value: Record<string, unknown>): readonly string[] {
  const keys = keysOf(id, value)
  if (id !== 'other') return keys
  // States beside stages are out of place, and can be removed.
  const flow = hasStages(value) ? 'stages' : 'states'
  const known = new Set<string>([flow, ...sections.flatMap((section) => section.keys)])
  return [...keys, ...Object.keys(value).filter((key) => !known.has(key))]
}

const usualIn: Partial<Record<SectionId, readonly string[]>> = {
  basics: ['name', 'summary', 'minutes', 'capacity', 'languages', 'description'],
}
