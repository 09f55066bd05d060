/** A language, the encodings of its old programs, and names of people, places and streets. */
export interface LanguageNames {
  encodings: readonly string[];
  names: readonly string[];
}

const western = ['windows-1252', 'iso-8859-15'];
const central = ['windows-1250', 'iso-8859-2'];

const list = (text: string): string[] => text.split(',').map((name) => name.trim());

/** Languages of western Europe, all of which use windows-1252. */
export const westernNames: Record<string, LanguageNames> = {
  german: {
    encodings: western,
    names: list(
      'Jürgen Müller, Köln, Weißenburg, Bäckerstraße 5, Schäfer, Günther Jäger, Österreich, Übersee, Fußgönheim, Grünstraße, Händler, Süß, Möller GmbH, Würzburg, Tübingen, Löwe, Schröder, Öhringen, Kästner, Strauß, Böhm, Lübeck, Königsstr. 7, Würth, Köhler & Söhne, Hänsel, Düsseldorf',
    ),
  },
  french: {
    encodings: western,
    names: list(
      'François Lefèvre, Hélène Garçon, Benoît Lemaître, Zoé, Anaïs, Loïc Le Goëff, Besançon, Saint-Étienne, Orléans, Nîmes, Angoulême, Château-Thierry, Mâcon, Béziers, Ève Dubœuf, Genève, Liège, Noël Brûlé, rue de la Forêt, Chêne, Aÿ, Sœur Cécile, Cœur de Ville, Françoise Chénier, Côte d’Azur, Thérèse, Jérôme Giraudoux, Frédéric, Île-de-France, Bâle, Évreux, Crèvecœur, Mélanie, Hôtel Août, Angèle Lacoste, Mairie de Sète, Lætitia, Kœnig, Haÿ-les-Roses, Gaël, Joël, Fleury-Mérogis, Égalité, Élysée, Rhône, Lycée, Chaîne, Père Lachaise',
    ),
  },
  spanish: {
    encodings: western,
    names: list(
      'Muñoz, Pérez, Logroño, ¡Hola!, José Núñez, Íñigo, Iñaki Ibáñez, Begoña, Peña, Málaga, Cádiz, León, A Coruña, Güell, Agüero, Ángel Gómez, Úbeda, Óscar, María, Martínez, Jesús, Sánchez, Fernández, López, Nº 5 2ª planta, Mª Ángeles, Castellón, Jaén, Ávila, Rubén, Año Nuevo, ¿Dónde?, Rodríguez, Señor Ordóñez, Ñuñoa, Zúñiga, Calle Mayor 4º dcha., Córdoba, Almería, Argüelles, Sebastián, Álvaro, Plaza España, Muñiz, Cataluña',
    ),
  },
  portuguese: {
    encodings: western,
    names: list(
      'João, São Paulo, Conceição, Guimarães, Magalhães, Antônio, Brandão, Inês, Évora, Setúbal, Luís, Simões, Camões, Gonçalves, Assunção, Praça da Sé, Mendonça, Açores, Loulé, Olhão, Portimão, Câmara, Fátima, Tomé, Nóbrega, Brasília, Florianópolis, Goiânia, Belém, Ribeirão, Maranhão, Sebastião, Romã, Irmãs Lda, Júlia, Ângela, Araújo, Falcão, Pinhão, Água, Estação, Órgãos, Mãe, Leões, Salomão, Itapuã, Três Corações, Vitória',
    ),
  },
  italian: {
    encodings: western,
    names: list(
      'Niccolò, Cantù, Forlì, Nicolò D’Alò, Caffè Roma, Gesù, Cefalù, Mirò, Città, Società, Libertà, Carità, Salò, Patanè, Calabrò, Viggiù, Muggiò, Università, Lunedì, Così, Zanè, Mondovì, Santhià, Bontà, Trinità, Giosuè, Mosè, Noè, Novità, Virtù, Perù, Più Gusto',
    ),
  },
  dutch: {
    encodings: western,
    names: list(
      'Zoë, Coöperatie, Citroën, België, Daniëlle, Michaël, Geüniformeerd, Noël, Coördinatie, Reünie, Oceanië, Loïs, Curaçao, André, Saïd, Desirée, Reeën, Zeeën, Raphaël, Ruïne, Officiële, Patiënt, Ideeën, Knieën',
    ),
  },
  icelandic: {
    encodings: western,
    names: list(
      'Þórður, Guðmundsson, Ísafjörður, Hafnarfjörður, Jón, Sigurður, Garðabær, Suðurlandsbraut, Kópavogur, Reykjavík, Björk, Þorsteinn, Ægir, Ólafur, Jóhanna, Æsa, Ýmir, Þingvellir, Eyþór, Snæfell, Steinþór, Sauðárkrókur, Höfn, Norðurgata, Guðrún, Aðalstræti, Hveragerði, Árborg, Bergþóra, Egilsstaðir, Viðarsdóttir, Davíð, Mosfellsbær, Ragnheiður, Þórunn, Breiðholt, Kristín, Sólveig, Alþingi',
    ),
  },
  danish: {
    encodings: western,
    names: list(
      'Søren Kjær, København, Århus, Bjørn, Rømø, Læsø, Ærø, Næstved, Jørgensen, Ringkøbing, Møller, Østergade, Tårnby, Sørensen, Kiær, Hørsholm, Gråsten, Sønderborg, Ålborg, Højbro Plads, Køge, Mørk, Nørregade, Blåvand, Vestergård, Skærbæk, Præstø, Fåborg, Tønder, Bøgeskov, Græsted, Søby, Ærøskøbing, Åkirkeby, Smørum, Rødovre, Grønland, Kjærgård, Jægersborg, Bække, Agnæs',
    ),
  },
  norwegian: {
    encodings: western,
    names: list(
      'Bjørnar, Tromsø, Ålesund, Håkon, Øyvind, Kåre, Gjøvik, Bodø, Trøndelag, Sæther, Åse, Bærum, Lillestrøm, Østfold, Drøbak, Hønefoss, Steinkjær, Måløy, Ørsta, Bø, Røros, Høie, Bøe, Sørlandet, Vågå, Ås, Mæl, Skjåk, Fræna, Våler, Løten, Nærøy, Smøla, Askøy, Søgne, Stjørdal, Røyken, Bømlo, Værnes, Øygarden, Aurskog-Høland',
    ),
  },
  swedish: {
    encodings: western,
    names: list(
      'Åsa Sjöberg, Malmö, Göteborg, Ångström, Örebro, Åke, Linköping, Södertälje, Jönköping, Växjö, Östersund, Håkansson, Björklund, Umeå, Luleå, Skellefteå, Kärlek, Hägglöf, Sjögren, Norrtälje, Åhlén, Västerås, Gävle, Skövde, Borås, Nyköping, Äppelviken, Lidén, Hallén, Öland, Mårten, Pålsson, Särna, Höganäs, Ängelholm',
    ),
  },
  finnish: {
    encodings: western,
    names: list(
      'Jyväskylä, Hämäläinen, Mäkinen, Väinö, Järvinen, Äänekoski, Yrjö, Töölö, Hyvinkää, Seinäjoki, Jääskeläinen, Åbo, Pöyry, Lämsä, Mäntsälä, Lähdesmäki, Käpylä, Ähtäri, Öljynen, Mänttä, Riihimäki, Nykänen, Säkylä, Päijät-Häme, Ylöjärvi',
    ),
  },
  estonian: {
    encodings: ['windows-1252', 'iso-8859-15', 'windows-1257'],
    names: list(
      'Tõnu, Võru, Põlva, Jõgeva, Õunapuu, Pärnu, Tõnis Mägi, Kärdla, Jõhvi, Sütiste tee, Kõrvemaa, Rõuge, Väike-Õismäe, Jüri, Sõle, Nõmme, Otepää, Järve, Küti, Kõiv, Põder, Mõisaküla, Lõuna, Räpina, Püssi, Sõpruse pst, Hõbe, Türi, Põltsamaa, Õie, Ülle, Õnne, Vändra',
    ),
  },
};

/** Languages with letters outside windows-1252. */
export const otherNames: Record<string, LanguageNames> = {
  polish: {
    encodings: central,
    names: list(
      'Michał Wójcik, Łódź, Gdańsk, Kraków, Poznań, Wiśniewski, Świętokrzyska, Zieliński, Małgorzata, Częstochowa, Źródło, Żółć, Dąbrowska, Bełchatów, Wałęsa, Kołodziej, Grażyna, Jabłoński, Nowy Sącz, Białystok, Rzeszów, Krzyż, Łukasz, Jasło, Kędzierski, Ząbki, Sławomir, Żywiec, Płock, Śląsk, Wrocław, Bożena Pawłowska, Elbląg, Toruń',
    ),
  },
  czech: {
    encodings: central,
    names: list(
      'Dvořák, Jiří, Plzeň, Zdeněk, Růžička, Třebíč, Kučera, Příbram, Brněnec, Černý, Křivánek, České Budějovice, Němec, Věra, Přerov, Horáček, Havlíčkův Brod, Děčín, Žďár, Kříž, Bořivoj, Ondřej, Řehoř, Hradec Králové, Náměstí Míru, Lišeň, Ústí nad Labem, Petřín, Čapek, Vaněk, Štěpán, Tomáš Pešek, Střední, Sedláček, Bělá, Řezníčková',
    ),
  },
  slovak: {
    encodings: central,
    names: list(
      'Košice, Žilina, Ján Hudák, Ľubomír, Trenčín, Štúr, Ľudovít, Prešov, Kováč, Horňák, Košťál, Ďurica, Banská Štiavnica, Púchov, Mičko, Vráble, Krajčír, Nové Zámky, Skalická, Novotná, Vrútky, Svätý Jur, Švec, Ťažký, Hôrka, Zvolenská',
    ),
  },
  hungarian: {
    encodings: central,
    names: list(
      'Győr, Erdős, László, Szűcs, Petőfi utca, Kőszeg, Gergő, Szőke, Fűzfő, Székesfehérvár, Dezső, Sütő, Győző, Tűzoltó utca, Ágnes, Jenő, Mező, Szolnoki út, Üllői út, Nyíregyháza, Kőbánya, Hódmezővásárhely, Bődi, Erzsébet, Gyöngyös, Kovács, Tóth, Szabó, Őrség, Béke tér, Lőrinc, Könyök, Bükk, Fürdő, Nagykőrös, Zsófia',
    ),
  },
  croatian: {
    encodings: central,
    names: list(
      'Kovačić, Petrović, Đorđević, Čakovec, Horvatić, Šibenik, Požega, Anđelka, Županja, Babić, Marić, Jurčić, Sinčić, Đakovo, Kranjčević, Šime, Škrinjarić, Ćosić, Rožman, Maček, Krško, Črnomelj, Škofja Loka, Žalec, Kočevje, Vrhniška, Štajerska, Ribič, Grgić, Božić',
    ),
  },
  romanian: {
    encodings: central,
    names: list(
      'Ştefan Ţiriac, Bucureşti, Ioniţă, Brăila, Bălan, Constanţa, Răzvan, Călăraşi, Bacău, Iaşi, Mureş, Argeş, Mădălina, Piteşti, Timişoara, Târgu Mureş, Ploieşti, Rădulescu, Sfântu, Cîmpina, Băicoi, Galaţi, Neamţ, Lăpuş, Ţepeş, Olăneşti, Dâmboviţa, Botoşani, Maramureş',
    ),
  },
  turkish: {
    encodings: ['windows-1254', 'iso-8859-9'],
    names: list(
      'Ayşe Yılmaz, Eskişehir, Işık Öz, Kuşadası, Beşiktaş, Aydın, Güneş, Çağlar, Kılıç, Şişli, Taksim Çeşme, Beyoğlu, Üsküdar, İstanbul, İzmir, Doğan, Gümüşhane, Öğretmen, Kadıköy, Şeker, Tuğba, Muğla, Çanakkale, Diyarbakır, Nişantaşı, Özgür, Kırşehir, Ağrı, Barış, Çalışkan, Yıldırım',
    ),
  },
  baltic: {
    encodings: ['windows-1257'],
    names: list(
      'Rūta Žukauskaitė, Šiauliai, Jonas Žukas, Panevėžys, Vėjūnė, Kęstutis, Klaipėda, Kazlauskienė, Mažeikiai, Telšiai, Ąžuolas, Gražina, Šakių, Birutė, Jurgėla, Čiurlionis, Pėteris, Jānis, Bērziņš, Kalniņa, Rīga, Jūrmala, Liepāja, Ķegums, Cēsis, Kārlis, Ozoliņš',
    ),
  },
  greek: {
    encodings: ['windows-1253', 'iso-8859-7'],
    names: list(
      'Άννα Παπαδοπούλου, Αθήνα, Γιώργος Νικολάου, Θεσσαλονίκη, Πάτρα, Ηράκλειο, Δημήτρης, Κωνσταντίνος Οικονόμου, Ψηφίο, Οδός Ερμού 5, Λάρισα, Παύλος, Χανιά, Μαρία, Ελένη Γεωργίου, Αλέξανδρος, Ιωάννης, Βασίλης, Λεωφόρος Συγγρού, Ρόδος, Κέρκυρα, Σοφία, Πειραιάς, Χρήστος, Νίκος, Κατερίνα, Στέλιος, Μύκονος, Ζωή, Καλλιθέα',
    ),
  },
  russian: {
    encodings: ['windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5'],
    names: list(
      'Иванов Пётр, Москва, Санкт-Петербург, Сергей Петров, ул. Ленина 5, Екатеринбург, Наталья, Дмитрий, Ростов-на-Дону, Казань, Ольга Смирнова, Воронеж, Юрий, Щёлково, Нижний Новгород, Кузнецов, Жуков, Псков, Чехов, ООО Ромашка, Мытищи, Елена, Хабаровск, проспект Мира, Фёдор, Тверь, Алексей, Пушкин, Игорь, Эльвира',
    ),
  },
  ukrainian: {
    encodings: ['windows-1251'],
    names: list(
      'Київ, Львів, Шевченко Іван, Їжакевич, Харків, Одеса, Євген, Кривий Ріг, Наталія, Дніпро, вул. Хрещатик 5, Запоріжжя, Івано-Франківськ, Чернівці, Олександр, Житомир, Володимир, Рівне, Ґалаґан, Тернопіль, Оксана Бондаренко, Вінниця, Сергій, Ужгород, Микола, Полтава, Юрій, Суми, Луцьк, Олена',
    ),
  },
};
