import { readTable, type TrialRow } from '@atrium/contract'
import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core'
import { useRef, useState } from 'react'
import { texts } from '../../../text/console.ts'
import { notifyFailed } from '../../feedback/notify.ts'
import { isObject } from '../core/document.ts'
import { type FieldProps, useFormTools } from '../form/form-tools.tsx'
import { ProblemLines } from '../problems/problem-marks.tsx'
import { RowPreview } from './row-preview.tsx'
import { useTables, useUploadTable } from './table-queries.ts'
import { textOfRows } from './table-text.ts'

/** Longer ones would make every save of the draft long, so they are uploaded. */
const maxInDraft = { rows: 500, characters: 50_000 }

/** R66: a table of trials, pasted from a spreadsheet or read from a file. Large ones become an upload. */
export function TableField({ at, value }: FieldProps) {
  const { set, isReadOnly, settle } = useFormTools()
  const upload = useUploadTable()
  const [typed, setTyped] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const resetFile = useRef<() => void>(null)
  const text = texts().builder.tables
  const { rows, tableId } = isObject(value) ? value : {}
  const written = Array.isArray(rows) ? (rows as TrialRow[]).filter(isObject) : []

  const put = (source: { rows: TrialRow[] } | { tableId: string }) => {
    settle()
    set(at, source)
    settle()
    setTyped(undefined)
    setProblem(undefined)
  }
  const take = (name: string, content: string) => {
    const read = readTable(content)
    if (!read.ok) return setProblem(text.problem(read.line, read.message))
    if (read.rows.length <= maxInDraft.rows && content.length <= maxInDraft.characters)
      return put({ rows: read.rows })
    upload.mutate(
      { name, text: content },
      {
        onSuccess: ({ tableId: uploaded }) => put({ tableId: uploaded }),
        onError: (error) => notifyFailed(text.notUploaded, error),
      },
    )
  }
  const open = async (file: File | null) => {
    if (file) take(file.name.slice(0, 200), await file.text())
    // Without it, choosing the same file again would not be a change.
    resetFile.current?.()
  }

  return (
    <Stack gap="xs" data-at={at}>
      <ProblemLines at={at} />
      <ProblemLines at={`${at}/tableId`} />
      {typeof tableId === 'string' && <UploadedTable tableId={tableId} />}
      {typed === undefined && written.length > 0 && <RowPreview rows={written} />}
      {typed !== undefined && (
        <Textarea
          label={text.rows}
          description={text.rowsHint}
          className="builder-code-input"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={problem}
          autosize
          minRows={4}
          maxRows={16}
          spellCheck={false}
        />
      )}
      {typed === undefined && problem !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
      {!isReadOnly && (
        <Group gap="xs">
          {typed === undefined ? (
            <Button
              size="compact-sm"
              variant="light"
              onClick={() => {
                setTyped(written.length > 0 ? textOfRows(written) : '')
                setProblem(undefined)
              }}
            >
              {written.length > 0 ? text.edit : text.paste}
            </Button>
          ) : (
            <>
              <Button size="compact-sm" loading={upload.isPending} onClick={() => take(text.pasted, typed)}>
                {text.apply}
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => setTyped(undefined)}>
                {text.cancel}
              </Button>
            </>
          )}
          <FileButton
            resetRef={resetFile}
            accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
            onChange={open}
          >
            {(props) => (
              <Button {...props} size="compact-sm" variant="light" loading={upload.isPending}>
                {text.open}
              </Button>
            )}
          </FileButton>
        </Group>
      )}
    </Stack>
  )
}

/** By its name: nobody knows ids by heart. */
function UploadedTable({ tableId }: { tableId: string }) {
  const { data, isPending } = useTables({ isEnabled: true })
  const text = texts().builder.tables
  const head = data?.find((table) => table.tableId === tableId)
  const said = head ? text.uploaded(head.name, head.rows, head.columns) : text.unknown(tableId)
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {isPending ? texts().feedback.loading : said}
    </Text>
  )
}
