import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const formats = {
  xlsx: 'Calc MS Excel 2007 XML',
  ods: 'calc8',
  // The first sheet, comma-separated, in UTF-8, with cells as shown.
  csv: 'Text - txt - csv (StarCalc)',
} as const;

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const urlOf = (path: string) => quoted(pathToFileURL(path).href);

const basicOf = (template: string, sheet: string, cells: readonly [string, string][], saved: string) => `
Function Named(key As String, content As Variant) As Object
  Dim one As New com.sun.star.beans.PropertyValue
  one.Name = key
  one.Value = content
  Named = one
End Function
Sub Fill
  document = StarDesktop.loadComponentFromURL(${urlOf(template)}, "_blank", 0, Array(Named("Hidden", True)))
  frame = document.CurrentController.Frame
  keyboard = createUnoService("com.sun.star.frame.DispatchHelper")
  document.CurrentController.setActiveSheet(document.Sheets.getByName(${quoted(sheet)}))
${cells
  .map(
    ([
      cell,
      text,
    ]) => `  keyboard.executeDispatch(frame, ".uno:GoToCell", "", 0, Array(Named("ToPoint", ${quoted(cell)})))
  keyboard.executeDispatch(frame, ".uno:EnterString", "", 0, Array(Named("StringName", ${quoted(text)})))`,
  )
  .join('\n')}
${Object.entries(formats)
  .map(
    ([ending, filter]) =>
      `  document.storeToURL(${urlOf(join(saved, `filled.${ending}`))}, Array(Named("FilterName", ${quoted(filter)}), Named("FilterOptions", "44,34,76")))`,
  )
  .join('\n')}
  document.close(True)
  StarDesktop.terminate()
End Sub`;

/**
 * Fills in a workbook in LibreOffice like a person, by typing into cells, and saves it in three formats. The caller removes
 * `folder`.
 */
export const fillIn = async (
  template: string,
  sheet: string,
  cells: readonly [cell: string, text: string][],
): Promise<{ folder: string; pathOf(ending: keyof typeof formats): string }> => {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-template-'));
  const saved = join(folder, 'saved');
  const profile = join(folder, 'profile');
  const office = (...args: string[]) =>
    promisify(execFile)(
      'soffice',
      [`-env:UserInstallation=${pathToFileURL(profile).href}`, '--headless', '--norestore', ...args],
      { timeout: 55_000 },
    );
  // The first start of a profile replaces its macros.
  await office('--terminate_after_init');
  const source = basicOf(template, sheet, cells, saved).replace(
    /[&<>]/g,
    (found) => `&#${found.charCodeAt(0)};`,
  );
  await writeFile(
    join(profile, 'user', 'basic', 'Standard', 'Module1.xba'),
    `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd">\n<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">${source}</script:module>`,
  );
  await mkdir(saved);
  await office('macro:///Standard.Module1.Fill()');
  return { folder, pathOf: (ending) => join(saved, `filled.${ending}`) };
};
