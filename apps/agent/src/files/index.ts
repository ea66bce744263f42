export { createPrivateFile, readAtMost, replacePrivateFile } from './private-file.ts'
export {
  closeFolder,
  codeOf,
  ensurePrivateFolder,
  expectOwnFolder,
  isOfAnotherUser,
  isOpenToOthers,
} from './private-folder.ts'
export { type UserFolders, userFolders } from './user-folders.ts'
