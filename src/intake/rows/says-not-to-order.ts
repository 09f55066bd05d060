/** Makes a remark conditional, not a statement about this order: `Cancel if not in stock`, `Do not ship before 12/1`. */
const conditional =
  /\b(?:if|unless|any|anything|when|where|whether|will|would|may|might|can(?:not)?|could|should|until|till|after|before|policy|subject|fees?|charges?|restocking|within|back\s?orders?|balance|unshipped|date|partial(?:ly)?|incomplete|substitut\w*|without|falls|wenn|vor|ohne|si|sauf)\b/i;

const negated = /\b(?:not|never|nicht|nie|non)\b/i;

const endOrThis =
  '(?=\\s*(?:$|[.,!;:()*/–-]|this\\b|these\\b|it\\b|again\\b|twice\\b|yet\\b|per\\b|the\\s+(?:order|item|line|po)\\b|(?:order|line|item|po)s?\\b(?!\\s+(?:confirm|ack|status|by|via))|(?=\\S*\\d)\\S*\\p{L}))';
const notThis = new RegExp(
  `(?:^|[^\\p{L}])(?:do\\s?n['o’]?t\\s+(?:re-?)?(?:order|ship|send|process|place|enter|fill|fulfil+|duplicate|deliver)${endOrThis}|do\\s?n['o’]?t\\s+use\\s*(?:$|[.!*]))`,
  'iu',
);
/** `Nicht liefern`, `ne pas commander`, `niet meer bestellen`: imperatives, before or after the item. */
const notThisElsewhere = new RegExp(
  `(?:^|[^\\p{L}])(?:${[
    '(?:bitte\\s+)?nicht\\s+(?:mehr\\s+)?(?:(?:aus|be|ver|nach)?(?:liefern|stellen|senden)|schicken|ordern|benötigt)',
    'ne\\s+(?:pas|plus)\\s+(?:re)?(?:livrer|commander|exp[ée]dier|envoyer)',
    'niet\\s+(?:meer\\s+)?(?:be|uit|na|af|ver)?(?:leveren|stellen|zenden|sturen)',
    'non\\s+(?:pi[ùu]\\s+)?(?:ri)?(?:spedire|ordinare|consegnare|inviare)',
    'no\\s+(?:enviar|pedir|entregar|servir|despachar)',
    'n[ãa]o\\s+(?:enviar|encomendar|entregar|pedir)',
  ].join(
    '|',
  )})(?=$|[^\\p{L}])(?!\\s+(?:vor|voor|avant|antes|prima|bis|tot|ab|wenn|falls|als|indien|si|sin|sans|senza|sem|ohne|zonder)(?=$|[^\\p{L}]))`,
  'u',
);
/** Only as the whole text. Within a longer one, these words may describe the item: `Tür weiß gestrichen`. */
const goneAlone =
  /^\P{L}*(?:stop|stopped|on\s+hold|(?:(?:please|pls)\s+)?hold(?:\s+(?:this|the|these)\s+(?:order|line|item|po)s?)?|discontinued|gestrichen|gelöscht|gesperrt|zurückgestellt|rückgängig(?:\s+gemacht)?|vervallen|vervalt|geblokkeerd|supprimée?s?|suspendue?s?|sospes[oa]|eliminat[oa]|eliminad[oa]|suspendid[oa]|peruttu|wstrzyman[eay]|annulleret|キャンセル|取消|已取消|отмен(?:ен|ено|ена|ён))\P{L}*$/iu;
/** The same, before or after a dash or in brackets: `ENTFÄLLT - Dübel 8mm`, `Muster (discontinued)`. */
const parts = /[()[\]:;|]|\s[-–—/]\s?|[-–—]\s/u;
const gone = new RegExp(
  `(?:^|[^\\p{L}])(?:${[
    'cancell?ed|cancellation\\s+(?:request|notice|of)|cxld?|cncld?|voided|void(?=\\W*$)|superseded|replaced\\s+by\\s+(?:po|order|p\\.o\\.)|withdrawn',
    'storniert|stornierung|storno\\s+(?:zu|von|der|des)|(?:please|pls)\\s+cancel|(?:bitte|wegen\\s+\\S+)\\s+stornieren|annul[ée]e?s?|anulad[oa]s?|cancelad[oa]s?|annullat[oae]|geannuleerd|annuleren|anulowan[eoy]|avbeställd|entf(?:ä|ae)llt',
  ].join('|')})(?=$|[^\\p{L}])`,
  'iu',
);
const cancelThat =
  /(?:^|[^\p{L}])(?:cancel|delete|remove|omit|disregard|skip|strike)\s+(?:this|these|(?:the\s+)?(?:lines?|items?|rows?|orders?|po)(?=$|[^\p{L}])|(?=[^\s/]*\d)(?=[^\s/]*\p{L})\S+)/iu;
const already =
  /(?:^|[^\p{L}])(?:already|bereits|déjà|ya|già)\s+(?:been\s+)?(?:shipped|sent|delivered|ordered|received|placed|entered|faxed|e-?mailed|phoned|submitted|bestellt|geliefert|command[ée]e?s?|livrée?s?|pedid[oa]s?|enviad[oa]s?|ordinat[oaie])(?=$|[^\p{L}])/iu;
const confirmsCall =
  /(?:^|[^\p{L}])confirm(?:ation|ing)\s+(?:of\s+)?(?:an?\s+|our\s+|the\s+)?(?:order\s+)?(?:phoned|called|faxed|verbal|phone)/iu;

const longest = 200;
/** A fast pre-check: every such text contains one of these. */
const hint =
  /stop|hold|skip|no\s+ship|ignore|twice|in\s+error|duplicat|discont|entf|gestri|gelö|gesperrt|stellt|rückg|verval|avbest|geblok|supprim|suspend|sospes|elimin|perut|wstrzym|annull|キャンセル|取消|отмен|nicht|ne\s+p|niet|n[oã]o?n?\s|cancel|c[xn]+c?ld?\b|void|supersede|replaced|withdrawn|storn|annul|anul|do\s?n|delete|remove|omit|disregard|skip|strike|already|bereits|déjà|\bya\b|già|confirm|canc\b|zru[šs]|makul|kansel|iptal|törö|άκυρ|ακυρ|longer|not\s/i;

/**
 * The normalized text if it may be such a remark; otherwise undefined. Normalizes full-width letters and soft hyphens, which look like
 * other characters or are invisible.
 */
const remarkIn = (written: string): string | undefined => {
  const seen = /[^ -~]/.test(written) ? written.normalize('NFKC').replaceAll('\u00ad', '') : written;
  const text = seen.replace(/[\s_]+/g, ' ');
  return text.length > longest || !hint.test(text) || conditional.test(text) ? undefined : text;
};

/** As a cell or a part of it, these words suffice; as a title or a row, they may head a list. */
const stopWord =
  /^\P{L}*(?:cancel|canc|deleted?|skip|no\s+ship|not\s+(?:needed|approved)|disregard|ignore(?:\s+this(?:\s+\p{L}+)?)?|ordered\s+twice|entered\s+in\s+error|duplicate(?:\s+(?:order|line|entry))?|отмена|storno|annulliert|stornov[áa]no|zru[šs]eno|annullerad|makulerad|kansellert|anulat[ăa]?|iptal(?:\s+edildi)?|törölve|ακυρώθηκε|άκυρο|no\s+longer\s+(?:required|needed|wanted)|not\s+(?:required|needed|wanted)\s+anymore)\P{L}*$/iu;
const stopPhrase = /(?:^|[^\p{L}])do\s?n['o’]?t\s+(?:ship|order|send|deliver|supply)(?=$|[^\p{L}])/iu;

/**
 * Whether the cell of a remark or a description may say not to order its row. Broader than `saysNotToOrder`, because it only raises a
 * question, once per text. Pure.
 */
export const maySayNotToOrder = (written: string): boolean => {
  const text = remarkIn(written);
  if (text === undefined) return false;
  return (
    stopPhrase.test(text) || text.split(parts).some((part) => stopWord.test(part)) || saysNotToOrder(text)
  );
};

/**
 * Whether a text is a request not to order, such as `DO NOT ORDER` or `please hold`. `Cancelled` is a status, which may also be a column
 * name. Pure.
 */
export const asksNotToOrder = (written: string): boolean => {
  const text = remarkIn(written);
  if (text === undefined) return false;
  return (
    [stopPhrase, notThis, cancelThat].some((asks) => asks.test(text)) ||
    notThisElsewhere.test(text.toLowerCase()) ||
    /^\P{L}*(?:please|pls|bitte)\s/iu.test(text)
  );
};

/**
 * Whether a text says that an order, or a line of it, should not be ordered or was already ordered: `ORDER CANCELLED 11/22 per Bob`, `Line
 * 2: do not ship`, `cancel A2`. A condition (`Cancel anything not in stock`) does not count. Pure.
 */
export const saysNotToOrder = (written: string): boolean => {
  const text = remarkIn(written);
  if (text === undefined) return false;
  if (notThis.test(text) || already.test(text) || cancelThat.test(text) || confirmsCall.test(text))
    return true;
  if (notThisElsewhere.test(text.toLowerCase()) || text.split(parts).some((part) => goneAlone.test(part)))
    return true;
  return gone.test(text) && !negated.test(text);
};

/** Words that suffice in a short name of a file or PO. */
const stopInName =
  /^(?:cancel\p{L}*|storn(?:os?|iert\p{L}*|ierung\p{L}*)|annul(?:led|ation|[ée]e?|l?iert\p{L}*|lat[oaie])s?|anulad[oa]s?|void(?:s|ed)?|hold)$/iu;

/** Whether the name of a file or PO says not to order something: `CANCELLED orders`, `Void Lot 12`, `Smith STORNO`. Pure. */
export const nameSaysNotToOrder = (name: string): boolean => {
  const words = name.split(/[^\p{L}'’]+/u).filter((word) => word !== '');
  return words.some((word) => stopInName.test(word)) || maySayNotToOrder(words.join(' '));
};
