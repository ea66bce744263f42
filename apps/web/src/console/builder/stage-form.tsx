import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { isObject, listAt, textIn, valueAt } from './core/document.ts'
import { useFormTools } from './form/form-tools.tsx'
import { ObjectFields } from './form/object-field.tsx'
import { IdField } from './id-field.tsx'
import { stageSchema } from './state-schema.ts'
import { titleOfStage } from './titles.ts'

interface StageFormProps {
  document: unknown
  at: number
  /** Turns the only stage back into a study without stages. */
  onJoin: () => void
}

/** A stage: who plays it, with whom, and in which roles. Its states stand in the outline. */
export function StageForm({ document, at, onJoin }: StageFormProps) {
  const stage = valueAt(document, ['stages', at])
  const { Field, isReadOnly } = useFormTools()
  const text = texts().builder.stages
  const place = `/stages/${at}`
  if (!isObject(stage))
    return stage === undefined ? null : <Field schema={{}} at={place} name="stage" value={stage} isRequired />
  const { properties = {} } = stageSchema
  const isOnly = listAt(document, ['stages']).length === 1
  // Everybody begins with the first stage.
  const except = ['id', 'states', ...(at === 0 && !Object.hasOwn(stage, 'when') ? ['when'] : [])]
  return (
    <Stack gap="sm" data-at={place}>
      <div>
        <Title order={2} size="h4">
          {titleOfStage(stage, at)}
        </Title>
        <Text size="sm" c="dimmed">
          {at === 0 ? text.hintFirst : text.hint}
        </Text>
      </div>
      <IdField at={place} value={textIn(stage.id) ?? ''} label={text.id} description={text.idHint} />
      {!Object.hasOwn(stage, 'matching') && <Text size="sm">{text.alone}</Text>}
      <ObjectFields
        at={place}
        schema={stageSchema}
        properties={properties}
        value={stage}
        usual={['when']}
        except={except}
      />
      {isOnly && !isReadOnly && (
        <Group gap="xs">
          <Button size="compact-sm" variant="default" onClick={onJoin}>
            {text.join}
          </Button>
          <Text size="xs" c="dimmed">
            {text.joinHint}
          </Text>
        </Group>
      )}
    </Stack>
  )
}
