import { expect, test } from 'vitest'
import { filesNeededBy, nameFiles, withAddresses } from './file-addresses.ts'

const mediaId = `med_${'A'.repeat(22)}`
const face = {
  ...{ mediaId, names: ['face.png'], kind: 'picture' as const, bytes: 10, url: '/media/1/face' },
  expiresAt: '2030-01-01T00:00:00.000Z',
}
const addressOf = ({ url }: { url: string }) => url

test('[R67] ids and names become addresses wherever they stand, and the component itself stays as it was', () => {
  const choice = {
    ...{ id: 'q', type: 'multiple_choice' },
    options: ['none', { value: 1, image: 'media:face.png' }, { value: 2, image: '/own.png' }],
  }
  expect(withAddresses(choice, [face], addressOf)).toMatchObject({
    options: ['none', { value: 1, image: '/media/1/face' }, { value: 2, image: '/own.png' }],
  })
  expect(choice.options[1]).toEqual({ value: 1, image: 'media:face.png' })
  const picture = { id: 'p', type: 'image', mediaId, alt: 'A face' }
  expect(withAddresses(picture, [face], addressOf)).toEqual({
    ...{ id: 'p', type: 'image', alt: 'A face' },
    src: '/media/1/face',
  })
})

test('[R67] a file that is not there is left out, and is known to be missing', () => {
  const picture = { id: 'p', type: 'image', src: 'media:gone.png' }
  expect(withAddresses(picture, [face], addressOf)).toEqual({ id: 'p', type: 'image' })
  expect(filesNeededBy([picture], [face])).toEqual([
    { componentId: 'p', called: 'gone.png', file: undefined },
  ])
})

test('[R67] a rating names what it rates by the same word, and that is no file', () => {
  const rating = { id: 'r', type: 'sparse_rating', mediaId: 'film', atMs: [0] }
  expect(withAddresses(rating, [face], addressOf)).toBe(rating)
})

test('[R67] only components that show files load the code for them', () => {
  expect(nameFiles([{ id: 'p', type: 'image', src: '/a.png' }])).toBe(false)
  expect(nameFiles([{ id: 'p', type: 'image', src: 'media:a.png' }])).toBe(true)
  expect(nameFiles([{ id: 'p', type: 'image', mediaId }])).toBe(true)
})
