import { type ExportTable, exportedTables, type TableFormat } from '@atrium/contract'
import { Checkbox, NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { type ExportChoice, type FilterName, hasCsv, hasFilter } from './export-choice.ts'

interface ExportFormProps {
  choice: ExportChoice
  /** Of the experiment, to choose from. */
  revisions: number
  onChange: (choice: ExportChoice) => void
}

const tables: readonly ExportChoice['table'][] = [...exportedTables, 'codebook', 'all']
const formats: readonly TableFormat[] = ['csv', 'jsonl', 'parquet']

export function ExportForm({ choice, revisions, onChange }: ExportFormProps) {
  const text = texts().data
  const change = (changes: Partial<ExportChoice>) => onChange({ ...choice, ...changes })
  const without = (filter: FilterName) => !hasFilter(choice.table, filter)
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} maw={860}>
      <NativeSelect
        label={text.table}
        description={text.tableMeanings[choice.table]}
        value={choice.table}
        onChange={({ currentTarget }) => change({ table: currentTarget.value as ExportTable | 'all' })}
        data={tables.map((value) => ({ value, label: text.tables[value] }))}
      />
      <NativeSelect
        label={text.format}
        description={choice.table === 'all' ? text.archiveMeaning : text.formatMeanings[choice.format]}
        disabled={choice.table === 'all'}
        value={choice.format}
        onChange={({ currentTarget }) => change({ format: currentTarget.value as TableFormat })}
        data={formats.map((value) => ({ value, label: text.formats[value] }))}
      />
      <NativeSelect
        label={text.status}
        description={text.statusMeaning}
        disabled={without('status')}
        value={choice.status}
        onChange={({ currentTarget }) => change({ status: currentTarget.value as ExportChoice['status'] })}
        data={(['', 'completed', 'open'] as const).map((value) => ({
          value,
          label: text.statuses[value === '' ? 'all' : value],
        }))}
      />
      <TextInput
        type="date"
        label={text.from}
        disabled={without('from')}
        value={choice.from}
        onChange={({ currentTarget }) => change({ from: currentTarget.value })}
      />
      <TextInput
        type="date"
        label={text.to}
        disabled={without('to')}
        value={choice.to}
        onChange={({ currentTarget }) => change({ to: currentTarget.value })}
      />
      <NativeSelect
        label={text.revision}
        disabled={without('revision')}
        value={choice.revision}
        onChange={({ currentTarget }) => change({ revision: currentTarget.value })}
        data={[
          { value: '', label: text.everyRevision },
          ...Array.from({ length: revisions }, (_, index) => String(revisions - index)).map((value) => ({
            value,
            label: value,
          })),
        ]}
      />
      {hasCsv(choice) && (
        <Checkbox
          label={text.forExcel}
          description={text.forExcelMeaning}
          checked={choice.forExcel}
          onChange={({ currentTarget }) => change({ forExcel: currentTarget.checked })}
        />
      )}
      {choice.table === 'all' && (
        <Checkbox
          label={text.answerKeys}
          description={text.answerKeysMeaning}
          checked={choice.answerKeys}
          onChange={({ currentTarget }) => change({ answerKeys: currentTarget.checked })}
        />
      )}
    </SimpleGrid>
  )
}
