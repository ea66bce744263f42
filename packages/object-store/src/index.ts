export { type ObjectFolder, ObjectRemoved, readObjectFolder } from './disk/read-folder.ts'
export { createObjectStore, type ObjectStore, type ObjectStoreOptions } from './object-store.ts'
