import type { MediaKind } from '@atrium/contract'
import { format, plurals } from './console-format.ts'

const files = { one: 'file', other: 'files' }

export const mediaFiles = {
  mediaFiles: {
    count: (count: number) => plurals.count(count, files),
    countOf: (found: number, all: number) => `${format.number(found)} of ${plurals.count(all, files)}`,
    nothingFor: (search: string) => `No picture or sound has “${search}” in its name or ID.`,
    empty: {
      title: 'No pictures or sounds yet',
      message:
        'Upload pictures, sounds or a ZIP of a whole folder, then choose them in the components of a study, or name them in a table, as in media:face-01.png.',
    },
    list: 'Pictures and sounds',
    showMore: (count: number) => `Show ${format.number(count)} more`,
    kinds: { picture: 'Picture', sound: 'Sound' } satisfies Record<MediaKind, string>,
    play: (name: string) => `Play ${name}`,
    copyId: 'Copy the media ID',
    copyAddress: 'Copy the name for tables and addresses',
    rename: {
      action: 'Rename',
      title: 'Rename this file',
      label: 'Name',
      hint: 'Published studies keep showing the file. Drafts that name it by its old name have to be changed.',
      done: (before: string, now: string) => `“${before}” is now called “${now}”.`,
    },
    delete: {
      title: { picture: 'Delete this picture?', sound: 'Delete this sound?' } satisfies Record<
        MediaKind,
        string
      >,
      lost: (name: string, bytes: number) =>
        `“${name}” (${format.bytes(bytes)}) will be deleted. This cannot be undone.`,
      done: (name: string) => `“${name}” has been deleted.`,
      failed: 'The file was not deleted',
    },
  },
}
