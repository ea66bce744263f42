import { memo } from 'react'
import { TableField } from '../tables/table-field.tsx'
import { ChoiceField } from './choice-field.tsx'
import { FileAddress, FileField } from './file-field.tsx'
import type { FieldProps } from './form-tools.tsx'
import { FromValueField } from './from-value-field.tsx'
import { JsonField } from './json-field.tsx'
import { ListField } from './list-field.tsx'
import { NumberField } from './number-field.tsx'
import { ObjectField } from './object-field.tsx'
import { RecordField } from './record-field.tsx'
import { canShow, kindOf } from './schema.ts'
import { SetField } from './set-field.tsx'
import { TextField } from './text-field.tsx'
import { UnionField } from './union-field.tsx'
import { VideoField } from './video-field.tsx'

/** A table of trials: its rows are no form. */
const isTable = /^\/tables\/[^/]+$/

/** The field for a part of the definition, as its schema describes it; JSON where no form can show what stands there. */
export const SchemaField = memo(function SchemaField(props: FieldProps) {
  if (!props.schema['x-from-value']) return <FixedField {...props} />
  return (
    <FromValueField {...props}>
      <FixedField {...props} />
    </FromValueField>
  )
})

function FixedField(props: FieldProps) {
  if (isTable.test(props.at)) return <TableField {...props} />
  const field = kindOf(props.schema)
  if (!canShow(field, props.value)) return <JsonField {...props} />
  switch (field.kind) {
    case 'text':
      return <AnyTextField {...props} isLong={field.isLong} byLanguage={field.byLanguage} />
    case 'number':
      return <NumberField {...props} isWhole={field.isWhole} />
    case 'flag':
    case 'choice':
      return <ChoiceField {...props} options={field.kind === 'flag' ? [true, false] : field.options} />
    case 'set':
      return <SetField {...props} options={field.options} />
    case 'list':
      return <ListField {...props} items={field.items} />
    case 'object':
      return <ObjectField {...props} properties={field.properties} />
    case 'record':
      return <RecordField {...props} values={field.values} />
    case 'union':
      return <UnionField {...props} members={field.members} />
    case 'any':
      return <JsonField {...props} />
  }
}

/** A text, or what a text names. */
function AnyTextField(props: Parameters<typeof TextField>[0]) {
  const { 'x-media-id': identified, 'x-media': shown } = props.schema
  if (props.name === 'videoId') return <VideoField {...props} />
  if (identified) return <FileField {...props} kind={identified} />
  if (!shown) return <TextField {...props} />
  return (
    <FileAddress field={props} kind={shown}>
      <TextField {...props} />
    </FileAddress>
  )
}
