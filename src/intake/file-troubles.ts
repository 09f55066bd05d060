/** What keeps a file from being picked up, archived or checked; or a file that a person has to look at. */
export interface FileTrouble {
  /** The file's readable name; or a folder's. */
  fileName: string;
  code: string;
  /** What happened and what to do, in sentences. */
  message: string;
}
