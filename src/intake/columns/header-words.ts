/**
 * The meaning of a word in a header. A header is read as a set of these: `Bestell-Nr.`, `numéro de commande` and `注文番号` are all order +
 * number.
 */
export type Meaning = keyof typeof headerWords;

/**
 * The words of headers, by meaning: English, then German, French, Spanish, Italian, Portuguese, Dutch, Polish, Czech, the Nordic languages,
 * Turkish, Hungarian, Romanian, Russian, Japanese, Chinese and Korean, and last the technical names of known systems. To support another
 * word, add it here without spaces, accents or upper case. Words of four letters and more, and those of `joints`, are also found inside a
 * compound (`Artikelnummer`, `ORDERLINENUMBER`, `商品コード`).
 */
export const headerWords = {
  // What is ordered under which number
  po: 'po ponumber einkaufsbeleg einkaufsbelegnummer beschaffungsbeleg inkooporder ebeln purchid pordno pohnum ponbr segment1 发注单 采购单 採購單 采购订单 발주서 발주 bstnk bstkd incrementid',
  order:
    'order orders ord ordr increment bestellung bestellungs bestellungen bestell best auftrag auftrags auftraege order commande commandes cde cmd orden pedido pedidos encomenda ordine ordini ordinativo bestel bestelling bestellingen zamowienie zamowienia zam zlecenie objednavka objednavky obj objednavky beställning bestilling ordre ordrer tilaus tilaus tilauksen siparis megrendeles rendeles comanda comenzi заказ заказа заявка 注文 発注 オーダー 订单 訂單 订货 发注 주문 오더 vbeln bestelbon παραγγελια παραγγελιας bc oc siparisi',
  purchase:
    'purchase purchasing einkauf einkaufs beschaffung achat achats compra compras acquisto acquisti inkoop zakup zakupu nakup nakupu inkop indkob innkjop osto satinalma beszerzesi achizitie закупка закупки 購買 購入 仕入 采购 採購 购买 구매 purchases purch nakupni alis kob kobs zak закуп',
  sale: 'sale sales so verkauf verkaufs vente ventes venta ventas vendita vendite venda vendas verkoop sprzedaz prodej forsaljning salg myynti satis продажа 販売 売上 销售 판매 受注',
  document:
    'document doc docnum docno belegnr beleg dokument documento documento doklad bilag asiakirja belge документ 伝票 单据 單據 전표 documentos documenti dokumentu dokumente vorgangsnummer vorgangsnr nopiece numeropiece numpiece nodepiece bon bons παραστατικο voucher 單號 dokladu dokladem',
  reference:
    'reference references ref refs referenz referencia referencias riferimento rif referencia ref referentie referens referanse viite referans referencja refr 参照 参考 参照番号 참조',
  number:
    'number numbers no nbr num numb nummer nummern nr numero numeros numer cislo numara numarasi szam numar номер n № 番号 ナンバー 编号 編號 号码 號碼 号 號 번호 numeri αρ αριθμος nro szama displayid',
  id: 'id ids guid uuid identifier identifiant identificador identificativo identyfikator kennung key schluessel guid кодид 識別 标识 아이디',
  code: 'code codes cod kod kode kodu codice codici codigo codigos koodi kód код コード 编码 編碼 代码 代碼 码 코드 symbol symbole kodi κωδικος',
  line: 'line lines lineno linenum linenbr poline row rows seq sequence position positions posnr posno pos posten zeile zeilen zeilennummer lfd laufende ligne lignes linea lineas riga righe linha linhas regel regels regelnummer pozycja pozycji lp polozka radek rad rader linje linjer rivi satir sor rand строка позиция 行 行番 明細 项次 項次 행 순번 ebelp pdlnid',
  item: 'item items catalog catalogue product products prod produkt produkte produkts produktu produkty part parts pt article articles art artikel artikels artikelen article articulo articulos articolo articoli artigo artigos produit produits producto productos prodotto prodotti produto produtos teil teile teilenummer ware waren material materials mat materialnummer materiau materiale materiaal materiał material goods towar towaru towary zbozi polozky vyrobek vara varor vare varer tuote urun malzeme stok termek cikk produs товар товара изделие материал номенклатура lineitem 商品 製品 品目 部品 品 アイテム 资材 资材 产品 產品 货品 貨品 物料 物品 宝贝 상품 제품 품목 자재 부품 productservice inventoryitem stockitem artnr ειδος ειδους προιον artykul artykulu articol parca parcasi',
  sku: 'sku skus stockkeeping customlabel артикул 品番 品番コード 型番 品號 货号 貨號 款号 商家编码 품번',
  itemnumber:
    'pn indeks matnr litm nsn stockcode stockno stocknumber itemlookupcode sachnummer cikkszam tuotekoodi tuotenumero 料号 料號 모델번호 inventoryid inventorycode katalogovecislo termekkod catno catnum catnr catalogno',
  style: 'style styles model modell modele modelo modello модель 规格 款式 스타일 型号',
  barcode:
    'ean ean13 upc upca gtin barcode barcodes isbn jan strichcode codebarre codebarres codigobarras asin fnsku 条码 條碼 条形码 바코드 バーコード',
  variant:
    'variant variants variation variante variantes option options attribute attributes バリエーション 옵션',
  // How many
  quantity:
    'quantity quantities quan quant qty qnty qte quantite quantites menge mengen anzahl cantidad cantidades cant quantita qta quantidade qtd qtde qtdade hoeveelheid aantal ilosc liczba mnozstvi pocet antal antall maara kpl miktar adet mennyiseg db cantitate количество колво 数量 個数 点数 件数 台数 数 數量 件數 수량 개수 menge kwmeng bstmg uorg orderedqty qtt antalet ποσοτητα ctd kvantum kvantitet mængde miktari',
  pieces:
    'units pieces pcs pce stueckzahl stuckzahl stueck stuck stk pieces piezas unidades uds pezzi pz stuks sztuk szt kusy ks stycken stykk adetler штук шт 個 件 개 stuk',
  ordered:
    'ordered purchased bestellt bestellte commande commandee pedida ordinata ordinato encomendada besteld zamowiona beordret beställt bestallt bestilt pedidas pedidos encomendado objednano objednane zamowiono tilattu заказано 订购 cdee cdees',
  requested:
    'required requested needed wanted desired requise demandee angefordert gewuenscht solicitada richiesta requerida 希望 요청',
  uom: 'uom um measure unitofmeasure einheit einheiten mengeneinheit unite unidad unidade unita eenheid jednostka jm jednotka mj enhet enhed yksikko egyseg unitate единица 単位 单位 單位 단위 meins bstme jednotku',
  done: 'received shipped delivered fulfilled picked packed sent receipt geliefert gelieferte ausgeliefert erhalten livre livree recu recue recibido recibida enviado enviada entregado entregada ricevuto spedito consegnata recebida entregue ontvangen geleverd verzonden odebrano wyslano dodano levererad mottagen leveret modtaget отгружено получено 出荷 入荷 納品 发货 發貨 到货 收货数 출고 입고 wemng',
  open: 'open outstanding remaining remain backorder backordered bo balance pending offen offene rest restmenge reste restante reliquat pendiente pendiente aperta residua aberto restante openstaand pozostalo zbyva rest остаток 残 未納 未出荷 剩余 未发 미출고 잔량',
  gone: 'cancelled canceled cancel refunded refund returned return returns rejected storniert retour annule annulee cancelado devuelto annullato resi devolvido geannuleerd anulowano zwrot отменено возврат キャンセル 返品 返金 取消 退款 退货 취소 반품',
  billed: 'invoiced billed berechnet fakturiert facture facturado fatturato faturado gefactureerd 請求済',
  stock:
    'stock onhand inventory available availability avail bestand lager lagerbestand verfuegbar dispo disponible existencias giacenza disponibile estoque disponivel voorraad magazyn sklad skladem lager saldo varasto stok raktar stoc склад наличие 在庫 库存 庫存 재고',
  limit: 'min max minimum maximum moq reorder mindest limit 最低 最小 最大',
  pack: 'pack packs package packages packaging carton cartons case cases box boxes pallet inner verpackung vpe karton gebinde colis caja paquete confezione collo embalagem doos pakket opakowanie balení balik forpackning 箱 箱数 包装 ケース 박스',
  per: 'per pro',
  share:
    'committed allocated reserved confirmed scheduled schedule forecast estimated free bonus sample planned quoted accepted approved einteilung schedules',
  // Money
  price:
    'price prices rate preis preise prix precio precios prezzo prezzi preco precos prijs cena ceny pris hinta fiyat ar pret цена 価格 単価 价格 價格 单价 가격 pricing fiyati cenu cene ceni prijzen priser τιμη',
  cost: 'cost costs kosten cout coute costo custo kost koszt naklad kostnad omkostning maliyet costul стоимость 原価 成本 원가 coste',
  each: 'unit each ea single einzel unitaire unitario unitaria unitario eenheids stuks jednostkowa jednostkowy jednotkova styck stk birim egyseg unitar единицу net netto nett dealer jedn jednostk unite unidad unitat neto ед ',
  unitprice:
    'unitprice unitcost priceeach einzelpreis stueckpreis nettopreis nettoprijs nettpris einkaufspreis ek netpr 単価 单价 單價 단가 pu unitamount pricepu prixu preciou preciounit prezzounit precounit vlrunit vlunit valorunitario valorunit 含税单价 不含税单价 仕入単価 stukprijs stykpris ahinta egysegar punitario prunitario pa jc',
  expected: 'expected expectedprice attendu erwartet erwartete previsto',
  /** Whether a price includes tax: `excl. VAT`, `HT`, `ohne MwSt.`. */
  taxed:
    'excl excluding exclusive exc incl including inclusive exkl exklusive inkl inklusive ohne hors ht ttc sans senza esclusa sin bez zonder uden exkluderat brutto gross 含 税抜 税込 不含 未税 ex',
  amount:
    'amount amounts amt total totals subtotal sum extended ext betrag gesamt gesamtpreis gesamtbetrag summe montant totale totaux importe importo total totaal bedrag kwota suma wartosc castka celkem belopp summa belob tutar toplam osszeg suma сумма итого 合計 小計 金額 总 总额 总计 总价 金额 小计 合计 금액 합계 총 sales revenue spend value wert valeur valor valore waarde umsatz chiffre 売上高',
  currency:
    'currency currencies cur curr waehrung wahrung devise divisa moneda valuta moeda waluta mena valuutta para devize валюта 通貨 币种 货币 통화 waers',
  tax: 'tax taxes vat mwst ust steuer tva iva btw dph moms kdv afa ндс gst hst 税 税额 消費税 세금 부가세 dane daně',
  discount:
    'discount discounts rabatt remise descuento sconto desconto korting rabat sleva alennus indirim coupon gutschein скидка 割引 值引 折扣 할인',
  // When, what kind, by whom
  date: 'date dates datum day time created modified updated at termin liefertermin zeit deadline fecha data dato dzien termin den tarih paiva pvm datum kelt дата срок 日 日付 日時 時間 納期 时间 日期 날짜 일자 일시 bedat eindt when month year qtr quarter expiry eta due week',
  name: 'name names namen nom nombre nome naam nazwa nazev jmeno namn navn nimi isim adi nev nume имя название наименование 名 名称 氏名 姓名 名字 이름 명',
  description:
    'description descriptions desc descr descrip descriptor title titel bezeichnung benennung beschreibung kurztext text langtext designation libelle intitule descripcion descrizione denominazione descricao omschrijving opis popis beskrivning beskrivelse kuvaus aciklama leiras descriere описание 説明 摘要 备注名 标题 標題 描述 설명 txz01 maktx',
  status:
    'status statut situacao stav tila durum allapot stare статус 状態 ステータス 状态 狀態 상태 flag closed',
  kind: 'type types typ kind class classification category categories group groups kategorie gruppe warengruppe belegart auftragsart bestellart zahlungsart lieferart einkaeufergruppe categorie categoria famille tipo soort typ druh rodzaj typ tyyppi tur tip тип カテゴリ カテゴリー 種類 区分 分类 類別 类型 种类 카테고리 종류 구분 productline federal',
  vendor:
    'vendor vendors ven vend supplier suppliers supp sup lief lieferant lieferanten lieferantenname kreditor fournisseur fournisseurs fourn proveedor proveedores fornitore fornitori fornecedor leverancier leveranciers dostawca dostawcy dodavatel leverantor leverandor toimittaja tedarikci satici beszallito szallito furnizor поставщик 仕入先 サプライヤー サプライヤ 発注先 メーカー取引先 供应商 供應商 공급사 공급업체 거래처 lifnr leverantorens leverandorens leverantors fornecedores dodavatele dostawcow vendedor tedarikcinin προμηθευτη поставщика поставщику toimittajan dodavatelske',
  customer:
    'customer customers cust client clients cli kunde kunden kundennummer debitor acheteur cliente clientes clienti klant klanten klient klienta odberatel zakaznik kund kunde asiakas musteri vevo client клиент покупатель buyer buyers purchaser kaeufer comprador acquirente koper retailer retailers consumer user member 得意先 顧客 購入者 お客様 客户 客戶 买家 買家 고객 구매자 kunnr kupujacy kupujacego kupujici cumparator',
  manufacturer:
    'manufacturer manufacturers mfr mfg mfgr mpn maker brand hersteller marke fabricant marque fabricante marca produttore fabrikant merk producent vyrobce tillverkare produsent valmistaja uretici gyarto производитель бренд メーカー ブランド 制造商 品牌 제조사 브랜드',
  company:
    'company firm firma entreprise societe empresa azienda societa bedrijf spolecnost foretag virksomhed yritys sirket ceg companie организация компания 会社 会社名 公司 회사 organisation organization division department dept abteilung departement departamento reparto afdeling partner site',
  warehouse:
    'warehouse warehouses whse wh plant location locations werk lagerort lagerplatz bin entrepot depot almacen magazzino armazem magazijn sklad 倉庫 仓库 倉庫 창고 werks lgort',
  invoice:
    'invoice invoices inv rechnung rechnungs rechnungsnummer facture factura fattura fatura factuur faktura faktury lasku szamla счет 請求 請求書 发票 發票 송장 nota',
  quote:
    'quote quotes quotation offer angebot offre devis oferta offerta offerte oferta nabidka tilbud tarjous teklif 見積 报价 견적',
  payment:
    'payment payments pay paid zahlung zahlungs paiement pago pagamento betaling platnosc platba betalning maksu odeme fizetes plata оплата 支払 決済 支付 付款 결제 pagado terms card gift deposit paypal stripe 支付宝',
  tracking:
    'tracking track waybill awb sendungsnummer suivi seguimiento tracciamento rastreio 追跡 物流 快递 运单 운송장',
  transaction: 'transaction transactions txn batch lot charge lote session listing checkout',
  account:
    'account accounts ledger gl konto compte cuenta conto conta rekening ucet cuenta счетучета 勘定 账户 帐号 账号 계정 commission fee fees channel series release version contract contrat vertrag sync',
  trait:
    'color colour farbe couleur color colore cor kleur kolor barva farg renk цвет カラー 色 颜色 색상 size groesse grosse taille talla taglia tamanho maat rozmiar velikost storlek beden размер サイズ 尺寸 사이즈 weight gewicht poids peso waga hmotnost vikt agirlik вес 重量 무게 height width length volume dimension dimensions url image photo link serial seriennummer',
  // Where to
  ship: 'ship shipping shipto shipment delivery deliver deliverto liefer lieferung lieferadresse versand livraison envio entrega destino spedizione consegna expedicao verzend verzending aflever levering dostawa dostawy wysylka wysylki dodani dodaci doruceni lever leverans leveranse toimitus teslimat sevkiyat szallitasi livrare доставка доставки 配送 届け お届け お届け先 送付 送付先 発送 納入 納入先 收货 收貨 送货 配送 배송 배송지 수령지 destination dest',
  recipient:
    'recipient recipients receiver consignee attention attn empfaenger empfanger warenempfaenger destinataire destinatario destinatario ontvanger odbiorca odbiorcy prijemce mottagare modtager vastaanottaja alici cimzett destinatar получатель 受取人 宛名 受領者 收货人 收貨人 收件人 받는사람 받는분 수취인 수령인 addressee',
  bill: 'bill billing billto soldto rechnungsadresse rechnungsanschrift facturation facturacion fatturazione faturamento facturatie 請求先 账单 帳單 청구',
  remit:
    'remit remitto from sender absender expediteur remitente mittente remetente afzender nadawca odesilatel avsandare gonderen отправитель 差出人 発送元 寄件人 发件人 보내는사람',
  address:
    'address addresses addr adresse adressen anschrift strasse street str adresse rue direccion calle domicilio indirizzo endereco rua logradouro adres straat adres ulica adresa ulice adress gata vej gate osoite katu adresi cim utca adresa strada адрес улица 住所 地址 주소',
  city: 'city town ort stadt wohnort lieferort ville ciudad localidad poblacion citta localita comune cidade municipio stad plaats woonplaats miasto miejscowosc mesto obec ort poststed kaupunki sehir varos oras localitate город 市 市区町村 城市 도시',
  state:
    'state st province region stateprovince bundesland kanton provincia estado provincie wojewodztwo lan fylke il megye judet область регион 都道府県 県 省 省份 州 시도 uf prefecture',
  zip: 'zip zipcode postal postcode postalcode plz postleitzahl cp codepostal cap cep psc postnummer postnr postinumero postakodu iranyitoszam irsz pocztowy pocztowego postakod postipunkt sihtnumber индекс 郵便番号 郵便 邮编 郵編 邮政编码 우편번호',
  country:
    'country countries land pays pais paese nazione kraj zeme land maa ulke orszag tara страна 国 国家 국가 county territory',
  phone:
    'phone phones telephone tel telefon telefono telefone telefoon puhelin telefonu telefonszam телефон 電話 電話番号 tel 电话 電話 전화 전화번호 mobile handy mobil cell cellphone portable movil cellulare celular komorka 携帯 手机 手機 휴대폰 핸드폰 연락처',
  email:
    'email emails mail courriel correo posta epost sahkoposti eposta メール メールアドレス 邮箱 郵箱 이메일 почта',
  contact: 'contact contacts ansprechpartner kontakt contacto contatto contato 担当 担当者 联系 聯繫 담당자',
  first:
    'first firstname given vorname prenom last lastname surname family nachname apellido apellidos cognome sobrenome achternaam imie nazwisko prijmeni fornamn efternamn',
  one: '1 one',
  two: '2 two additional zusatz complement complemento',
  three: '3 4 5 three four',
  via: 'via',
  method:
    'method versandart carrier carriers spediteur transporteur transportista corriere vettore transportadora vervoerder kurier przewoznik dopravce speditor service level priority 方法 方式 运送 運送 발송방법 배송방법 mode',
  note: 'note notes comment comments remark remarks memo instruction instructions message bemerkung bemerkungen notiz notizen hinweis kommentar commentaire commentaires remarque comentario comentarios observacion observaciones observacao observacoes commento commenti osservazioni annotazioni opmerking opmerkingen uwagi uwaga komentarz poznamka poznamky anmarkning anmerkung bemaerkning kommentaari huomautus notlar megjegyzes observatii комментарий примечание 備考 コメント 备注 備註 留言 비고 메모 메시지',
  // Neither here nor there
  parent: 'parent up header head hdr kopf entete',
  shop: 'amazon ebay shopify etsy walmart shop store marketplace web merchant seller magento woocommerce wc rakuten taobao coupang 판매자 店舗 店铺 出品者',
  internal: 'internal intern interne interno extern external externe esterno record legacy 管理',
  own: 'our my your unsere ihre votre notre wf',
  custom: 'custom extra additional info misc other udf',
  stop: 'to of the for and de du des la le les l d di da do del della dell von der des die und fur fuer pour para a an y et e i w v na do z with el los las u by direct wholesale за za usd eur gbp chf pln czk sek nok dkk huf ron cny rmb jpy krw rub brl ars mxn cad aud inr 元 руб 原始 详细',
} as const satisfies Record<string, string>;

/** Short words that are also found inside a compound. */
export const joints = 'no nr nro id po qty sku num zip tel ref uom cod';
