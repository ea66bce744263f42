import { Button, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { texts } from '../../text/console.ts'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { maxListed } from './read-pages.ts'

interface LibraryProps<Item> {
  items: readonly Item[]
  /** What a search looks in. */
  wordsOf: (item: Item) => string[]
  text: LibraryTexts
  /** Whether there are older ones that are not listed. */
  isCut: boolean
  children: (found: Item[]) => ReactNode
}

interface LibraryTexts {
  count: (count: number) => string
  countOf: (found: number, all: number) => string
  nothingFor: (search: string) => string
  empty: { title: string; message: string }
}

/** What has been uploaded, with a search in it. */
export function Library<Item>({ items, wordsOf, text, isCut, children }: LibraryProps<Item>) {
  const { search: searching, onlyNewest } = texts().media
  const [search, setSearch] = useState('')
  const wanted = useDeferredValue(search).trim().toLowerCase()
  const found = items.filter((item) => wordsOf(item).some((word) => word.toLowerCase().includes(wanted)))
  if (items.length === 0) return <NothingHere title={text.empty.title}>{text.empty.message}</NothingHere>
  return (
    <Stack>
      <TextInput
        label={searching.label}
        placeholder={searching.placeholder}
        type="search"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        maw={420}
      />
      <Text size="sm" c="dimmed" role="status">
        {wanted === '' ? text.count(items.length) : text.countOf(found.length, items.length)}
        {isCut && ` ${onlyNewest(maxListed)}`}
      </Text>
      {found.length > 0 ? (
        children(found)
      ) : (
        <NothingHere
          title={searching.nothing}
          action={
            <Button variant="default" onClick={() => setSearch('')}>
              {searching.clear}
            </Button>
          }
        >
          {text.nothingFor(search.trim())}
        </NothingHere>
      )}
    </Stack>
  )
}

export function LibrarySkeleton() {
  return (
    <Stack role="status" aria-label={texts().feedback.loading} gap="sm">
      <Skeleton height={60} maw={420} />
      {[1, 2, 3].map((row) => (
        <Skeleton key={row} height={128} />
      ))}
    </Stack>
  )
}
